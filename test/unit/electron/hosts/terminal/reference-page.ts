import {
  connectionOptions,
  tokenNote,
} from '../../../../../electron/hosts/terminal/options/connection-options.ts';
import type { CommandSpec } from '../../../../../electron/hosts/terminal/options/command-spec.ts';
import {
  type CommandSpecs,
  explained,
  usageOf,
} from '../../../../../electron/hosts/terminal/views/command-help.ts';

/** Generates `docs/commands.md` from the table that the commands parse their arguments with. */
export function referencePage({ own, remote }: CommandSpecs): string {
  return [
    '# Commands',
    '',
    'Generated from the command table; `npx vitest run reference-page -u` regenerates it. `npx parley --help` lists the commands,',
    '`npx parley COMMAND --help` explains one, and `parley completion` prints completions for your shell.',
    '',
    'Without a command, an installed `parley` opens the window. `--hidden` starts in the tray, `--mini` with the mini window, and `--safe-start`',
    'in safe mode: without the graphics card, the tray and the chosen devices. `PARLEY_STATE_DIR` names another folder for settings and data.',
    '',
    'With `--json`, `talk`, `chat`, `replay` and `rerun` print one event per line, `{"at": ms, "event": NAME, …}`. NAME is state, queue, session, text,',
    'audio, caption, listen, turnEnded, done, metrics, sent, controls, handedOver, onlyListens, error or closed. `dictate` prints state, queue, text (all words so far), done and error.',
    '',
    '## Connection options',
    '',
    'Every command that connects to a server takes these.',
    '',
    ...list({ name: '', summary: '', options: connectionOptions }),
    `${tokenNote}.`,
    '',
    ...own.flatMap(section),
    '## Commands for a running Parley',
    '',
    'These commands act on the Parley that is open on this computer, and on its talk.',
    '',
    ...remote.flatMap(section),
  ].join('\n');
}

function section(spec: CommandSpec): readonly string[] {
  const own = withoutConnection(spec);
  const connects = own !== spec;
  return [
    `## parley ${spec.name}`,
    '',
    `${spec.summary.charAt(0).toUpperCase()}${spec.summary.slice(1)}.`,
    '',
    '```',
    `${usageOf(own)}${connects ? ' [CONNECTION]…' : ''}`,
    '```',
    '',
    ...list(own),
    ...(connects ? ['`[CONNECTION]`: the [connection options](#connection-options).', ''] : []),
    ...(own.notes ?? []).flatMap((note) => [note, '']),
  ];
}

function list(spec: CommandSpec): readonly string[] {
  const rows = explained(spec).map(([form, about]) => `- \`${form}\`: ${about}`);
  return rows.length === 0 ? [] : [...rows, ''];
}

function withoutConnection(spec: CommandSpec): CommandSpec {
  if (spec.options['url'] !== connectionOptions.url) return spec;
  const shared = new Set<unknown>(Object.values(connectionOptions));
  const own = Object.entries(spec.options).filter(([, option]) => !shared.has(option));
  const notes = spec.notes?.filter((note) => note !== tokenNote);
  return { ...spec, options: Object.fromEntries(own), ...(notes === undefined ? {} : { notes }) };
}
