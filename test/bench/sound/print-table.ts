export type BenchResults = Readonly<Record<string, string>>;

/** Limits, and the figures for them. */
const limits = [
  ['silence', 'flush → silence at the monitor', '45 ms'],
  ['sound', 'write → sound at the monitor', '110 ms'],
  ['block', 'sound into the microphone → block', '45 ms'],
  ['stall', 'JavaScript blocked for 500 ms', 'no gap, nothing lost'],
  ['endurance', 'minutes in and out', 'nothing lost or doubled'],
  ['memory', '  RSS', '+10 MB'],
  ['load', '  of a core', '6 %'],
  ['killed', 'sound server killed', '1 s; 2 s; no growth'],
  ['killedLong', '  the same, on sinks that begin two seconds ahead', '1 s; 2 s; no growth'],
  ['tone', 'tone through the whole path', 'no break, 0.1 dB'],
] as const;

/** Prints one limit after another, with the two figures below each other for comparison. */
export function printTable(minutes: number, ours: BenchResults, naudiodon: BenchResults): void {
  const lines = limits.flatMap(([key, what, limit]) => [
    `${key === 'endurance' ? `${minutes} ${what}` : what}, at most: ${limit}`,
    `    ours       ${ours[key] ?? '–'}`,
    `    naudiodon  ${naudiodon[key] ?? '–'}`,
  ]);
  process.stdout.write(
    `\nnaudiodon queued 4 blocks of 20 ms. Both ran the endurance test at the same time.\n${lines.join('\n')}\n`,
  );
}

export function median(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(0);
}
