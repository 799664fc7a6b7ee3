/** The value after an option of the command line, such as `--minutes 10`. */
export function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** `fraction` is from 0 to 1; NaN if there are no values. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
