/** The value after an option of the command line, such as `--minutes 10`. */
export function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
