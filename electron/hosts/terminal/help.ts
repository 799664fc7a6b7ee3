import type { Command } from './command.ts';

export function helpText(version: string, commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`);
  return [
    `Parley ${version}: talks, listens and sees through the MiniCPM-o Realtime API`,
    '',
    'Usage: parley <command> [options]',
    '',
    'Commands:',
    ...lines,
    '',
    'Options:',
    '  --help       this text, or with a command its usage',
    '  --version    the version',
    '',
  ].join('\n');
}

export function commandHelp({ summary, usage, details = [] }: Command): string {
  return [summary, `Usage: ${usage}`, ...details.map((line) => `  ${line}`.trimEnd()), ''].join(
    '\n',
  );
}
