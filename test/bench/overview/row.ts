/** One figure of Parley's beside the same of something plain, both of one run. */
export interface Row {
  /** By which the budget knows it. */
  readonly id: string;
  readonly section: string;
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly beside: string;
  readonly baseline: number;
  /** The same baseline once more: how far the two differ is the machine's noise. */
  readonly again: number;
}

/** How many times the baseline ours is; below one it is less. */
export const ratioOf = ({ ours, baseline, again }: Row): number => ours / ((baseline + again) / 2);

/** How many times the larger of the two baselines is the smaller. */
export const noiseOf = ({ baseline, again }: Row): number =>
  Math.max(baseline, again) / Math.min(baseline, again);

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** In turns, so that what else the machine does meanwhile falls on all of them. */
export async function inTurns<Name extends string>(
  rounds: number,
  cases: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(cases) as Name[];
  const found = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      const figure = await cases[name]();
      // What is compiled and loaded once is not counted.
      if (round >= 0) found.get(name)?.push(figure);
    }
  }
  const entries = names.map((name) => [name, median(found.get(name) ?? [])] as const);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** Milliseconds of the processor that all threads of this process took. */
export async function processorMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
