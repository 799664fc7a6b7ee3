import type { CommandText } from './command.ts';

export function helpText(
  version: string,
  commands: readonly CommandText[],
  errands: readonly CommandText[],
): string {
  const width = Math.max(...[...commands, ...errands].map(({ name }) => name.length)) + 2;
  const line = ({ name, summary }: CommandText): string => `  ${name.padEnd(width)}${summary}`;
  return [
    `Parley ${version}: talks, listens and sees through the MiniCPM-o Realtime API`,
    '',
    'Usage: parley <command> [options]',
    '',
    'Commands:',
    ...commands.map(line),
    '',
    'To the Parley that runs:',
    ...errands.map(line),
    '',
    'Options:',
    '  --help       this text, or with a command its usage',
    '  --version    the version',
    '',
  ].join('\n');
}

export function commandHelp({ summary, usage, details = [] }: CommandText): string {
  return [summary, `Usage: ${usage}`, ...details.map((line) => `  ${line}`.trimEnd()), ''].join(
    '\n',
  );
}
