import type { CommandHelp } from './terminal-command.ts';

export function helpText(
  version: string,
  commands: readonly CommandHelp[],
  errands: readonly CommandHelp[],
): string {
  const width = Math.max(...[...commands, ...errands].map(({ name }) => name.length)) + 2;
  const line = ({ name, summary }: CommandHelp): string => `  ${name.padEnd(width)}${summary}`;
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

export function commandHelp({ summary, usage, details = [] }: CommandHelp): string {
  return [summary, `Usage: ${usage}`, ...details.map((line) => `  ${line}`.trimEnd()), ''].join(
    '\n',
  );
}
