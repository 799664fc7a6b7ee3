/** One of Parley's figures and its baseline, from one run. */
export interface Row {
  /** The figure's id in the budget. */
  readonly id: string;
  readonly section: string;
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly beside: string;
  readonly baseline: number;
  /** A second run of the baseline; the difference shows the machine's noise. */
  readonly again: number;
}

/** Parley's value relative to the baseline. */
export const getRatio = ({ ours, baseline, again }: Row): number => ours / ((baseline + again) / 2);

/** Ratio of the larger baseline run to the smaller. */
export const getNoise = ({ baseline, again }: Row): number =>
  Math.max(baseline, again) / Math.min(baseline, again);

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs measurements in turns, so that other load affects all of them. */
export async function runInTurns<Name extends string>(
  rounds: number,
  cases: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(cases) as Name[];
  const found = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      const value = await cases[name]();
      // Skips the warm-up rounds.
      if (round >= 0) found.get(name)?.push(value);
    }
  }
  const entries = names.map((name) => [name, median(found.get(name) ?? [])] as const);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** Processor milliseconds of all threads of this process. */
export async function processorMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
