/** A case to measure; `run` is called repeatedly and must do the same work each time. */
export interface Case {
  readonly name: string;
  readonly run: () => unknown;
}

const runs = 401;
const warmUps = 100;

/** Warms up and measures each case, and prints the medians. */
export function printMedians(title: string, cases: readonly Case[]): void {
  const width = Math.max(...cases.map(({ name }) => name.length));
  const lines = cases.map(({ name, run }) => {
    const sorted = measure(run).toSorted((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(runs * share)] ?? 0).toFixed(3);
    return `  ${name.padEnd(width)}  ${at(0.5)} ms  (90 of 100 under ${at(0.9)} ms)`;
  });
  process.stdout.write(`${title}\n${lines.join('\n')}\n`);
}

function measure(run: () => unknown): readonly number[] {
  const times: number[] = [];
  for (let round = -warmUps; round < runs; round += 1) {
    const before = performance.now();
    run();
    if (round >= 0) times.push(performance.now() - before);
  }
  return times;
}
