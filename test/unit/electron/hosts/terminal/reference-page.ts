import type { CommandSpec } from '../../../../../electron/hosts/terminal/options/command-spec.ts';
import {
  type CommandSpecs,
  explained,
  usageOf,
} from '../../../../../electron/hosts/terminal/views/command-help.ts';

/** `docs/commands.md`, of the same table that the commands read their arguments by. */
export function referencePage({ own, remote }: CommandSpecs): string {
  return [
    '# Commands',
    '',
    'Made of the commands’ own table: `npx vitest run reference-page -u` writes it anew. `npx parley --help` lists them,',
    '`npx parley COMMAND --help` explains one; a shell learns them all by `parley completion`.',
    '',
    'Without a command an installed `parley` opens the window; `--hidden` begins in the tray, `--mini` with the small window, `--safe-start` without',
    'the graphics card, the tray and the chosen devices. `PARLEY_STATE_DIR` names another folder for everything that is kept.',
    '',
    'With `--json`, `talk`, `chat`, `replay` and `rerun` write lines of `{"at": ms, "event": NAME, …}`; NAME is state, queue, session, text, audio,',
    'caption, listen, turnEnded, done, metrics, sent, controls, handedOver, onlyListens, error or closed.',
    '',
    ...own.flatMap(section),
    '## To the Parley that runs',
    '',
    ...remote.flatMap(section),
  ].join('\n');
}

function section(spec: CommandSpec): readonly string[] {
  const rows = explained(spec).map(([form, about]) => `| \`${cell(form)}\` | ${cell(about)} |`);
  return [
    `## parley ${spec.name}`,
    '',
    `To ${spec.summary}.`,
    '',
    '```',
    usageOf(spec),
    '```',
    '',
    ...(rows.length === 0 ? [] : ['| | |', '| - | - |', ...rows, '']),
    ...(spec.notes ?? []).flatMap((note) => [note, '']),
  ];
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
