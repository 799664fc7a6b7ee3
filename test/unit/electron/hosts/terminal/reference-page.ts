import type { CommandSpec } from '../../../../../electron/hosts/terminal/options/command-spec.ts';
import { explained, usageOf } from '../../../../../electron/hosts/terminal/views/command-help.ts';

/** `docs/commands.md`, of the same table that the commands read their arguments by. */
export function referencePage(own: readonly CommandSpec[], remote: readonly CommandSpec[]): string {
  return [
    '# Commands',
    '',
    'Made of the commands’ own table: `npx vitest run reference-page -u` writes it anew. `npx parley --help` lists them,',
    '`npx parley COMMAND --help` explains one; a shell learns them all by `parley completion`.',
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
