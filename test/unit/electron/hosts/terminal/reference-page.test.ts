import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { expect, it } from 'vitest';
import {
  connectionOptions,
  exitNote,
  tokenNote,
} from '../../../../../electron/hosts/terminal/options/connection-options.ts';
import type { CommandSpec } from '../../../../../electron/hosts/terminal/options/command-spec.ts';
import {
  type CommandSpecs,
  describeArguments,
  usageOf,
} from '../../../../../electron/hosts/terminal/views/command-help.ts';
import { loadSpecs } from '../../../../../electron/hosts/terminal/command-table.ts';
import layout from '../../../../../.oxfmtrc.json' with { type: 'json' };

const file = fileURLToPath(new URL('../../../../../docs/commands.md', import.meta.url));

it('docs/commands.md matches the command specs', async () => {
  const { printWidth } = layout;
  const { code, errors } = await format(file, referencePage(await loadSpecs()), { printWidth });
  expect(errors).toEqual([]);
  await expect(code).toMatchFileSnapshot(file);
});

/** Generates `docs/commands.md` from the table that the commands parse their arguments with. */
function referencePage({ own, remote }: CommandSpecs): string {
  const shared = repeated(own.flatMap((spec) => rowsOf(withoutConnection(spec))));
  const sharedNotes = repeated(remote.flatMap(({ notes = [] }) => notes));
  const shownElsewhere = new Set([...shared, ...sharedNotes, tokenNote, exitNote]);
  return [
    '# Commands',
    '',
    'Generated from the command table; `npx vitest run reference-page -u` regenerates it. In a usage line `[OPTION]…` stands for the options below it,',
    '`[CONNECTION]…` for the [connection options](#connection-options); the other options are [shared](#shared-options).',
    '',
    'Without a command, an installed `parley` opens the window. `--hidden` starts in the tray, `--mini` with the mini window, and `--safe-start`',
    'in safe mode: without the graphics card, the tray and the chosen devices. `PARLEY_STATE_DIR` names another folder for settings and data.',
    '',
    'With `--json`, `talk`, `chat`, `replay` and `rerun` print one event per line, `{"at": ms, "event": NAME, …}`. NAME is state, queue, session, text,',
    'audio, caption, listen, turnEnded, done, metrics, sent, controls, handedOver, onlyListens, error or closed. `dictate` prints state, queue, text (all words so far), done and error.',
    '',
    ...own.flatMap((spec) => section(spec, shownElsewhere)),
    '## Commands for a running Parley',
    '',
    'They act on the Parley that is open on this computer.',
    '',
    ...remote.filter((spec) => rowsOf(spec).length === 0).map(summaryRow),
    '',
    ...sharedNotes,
    '',
    ...remote
      .filter((spec) => rowsOf(spec).length > 0)
      .flatMap((spec) => section(spec, shownElsewhere, '###')),
    '## Shared options',
    '',
    ...shared,
    '',
    '## Connection options',
    '',
    ...without(shownElsewhere, rowsOf({ name: '', summary: '', options: connectionOptions })),
    '',
    `${tokenNote}.`,
    '',
    exitNote.replace('Exit:', 'Exit codes of their commands:'),
    '',
  ].join('\n');
}

/** The part of a command's help that the page does not show elsewhere. */
function section(
  spec: CommandSpec,
  shownElsewhere: ReadonlySet<string>,
  level = '##',
): readonly string[] {
  const ownSpec = withoutConnection(spec);
  return [
    `${level} ${spec.name}`,
    '',
    `${sentence(spec.summary)}.`,
    '',
    `\`${shortUsage(ownSpec, shownElsewhere)}${ownSpec === spec ? '' : ' [CONNECTION]…'}\``,
    '',
    ...without(shownElsewhere, rowsOf(ownSpec)),
    '',
    ...without(shownElsewhere, ownSpec.notes ?? []).flatMap((note) => [shortenExitNote(note), '']),
  ];
}

/** The usage without options that the list below it describes in full. */
function shortUsage(spec: CommandSpec, shownElsewhere: ReadonlySet<string>): string {
  const { word, options } = spec;
  const entries = Object.entries(options);
  const visible = entries.filter(
    ([name, option]) =>
      option.required === true ||
      option.choices !== undefined ||
      option.instead !== undefined ||
      name === word?.orOption ||
      entries.some(([, { instead }]) => instead === name) ||
      rowsOf({ name: '', summary: '', options: { [name]: option } }).some((row) =>
        shownElsewhere.has(row),
      ),
  );
  const usage = usageOf({ ...spec, options: Object.fromEntries(visible) });
  return visible.length < entries.length ? `${usage} [OPTION]…` : usage;
}

/** Shortens a note that repeats the exit codes of every connection and adds others. */
function shortenExitNote(note: string): string {
  return note.startsWith(exitNote) ? `Exit: also${note.slice(exitNote.length + 1)}` : note;
}

function summaryRow({ name, summary }: CommandSpec): string {
  return `- \`parley ${name}\`: ${summary}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function rowsOf(spec: CommandSpec): readonly string[] {
  return describeArguments(spec).map(([form, about]) => `- \`${form}\`: ${about}`);
}

function repeated(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.filter((line, at) => lines.indexOf(line) !== at))];
}

function without(shownElsewhere: ReadonlySet<string>, lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !shownElsewhere.has(line));
}

function withoutConnection(spec: CommandSpec): CommandSpec {
  if (spec.options['url'] !== connectionOptions.url) return spec;
  const { json: _, ...connection } = connectionOptions;
  const shared = new Set<unknown>(Object.values(connection));
  const own = Object.entries(spec.options).filter(([, option]) => !shared.has(option));
  return { ...spec, options: Object.fromEntries(own) };
}
