import { cpus, loadavg, release } from 'node:os';
import { readFileSync } from 'node:fs';
import { inRoot } from '../../../scripts/lib/root.mjs';
import { median } from '../../../shared/statistics.ts';

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
const getRatio = ({ ours, baseline, again }: Row): number => ours / ((baseline + again) / 2);

/** Ratio of the larger baseline run to the smaller. */
const getNoise = ({ baseline, again }: Row): number =>
  Math.max(baseline, again) / Math.min(baseline, again);

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
      // The first round warms up.
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

type Judgement = 'met' | 'broken' | 'noisy' | 'unknown';

interface Verdict {
  readonly judgement: Judgement;
  /** Maximum ratio to the baseline. */
  readonly limit?: number | undefined;
}

/** If two baseline runs differ by more than this ratio, the machine is too noisy to judge. */
const maxNoiseRatio = 1.5;

/** The budget has ratios instead of milliseconds, because machines differ. */
export function readBudget(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(inRoot('test', 'bench', 'budget.json'), 'utf8')) as Readonly<
    Record<string, number>
  >;
}

/** Passes a row within its limit. Above it, a noisy baseline makes the result `noisy`, not `broken`. */
export function judgeBy(budget: Readonly<Record<string, number>>): (row: Row) => Verdict {
  return (row) => {
    const limit = budget[row.id];
    if (limit === undefined) return { judgement: 'unknown' };
    if (getRatio(row) <= limit) return { judgement: 'met', limit };
    return { judgement: getNoise(row) > maxNoiseRatio ? 'noisy' : 'broken', limit };
  };
}

const marks: Readonly<Record<Judgement, string>> = {
  met: 'within',
  broken: 'OVER',
  noisy: 'too noisy to compare',
  unknown: '',
};

/** Formats the figures, their baselines, ratios and noise. */
export function overviewPage(
  judged: readonly { readonly row: Row; readonly verdict: Verdict }[],
): string {
  const lines = [machineInWords()];
  let section = '';
  for (const { row, verdict } of judged) {
    if (row.section !== section) lines.push('', row.section);
    ({ section } = row);
    const { judgement, limit } = verdict;
    const budget = limit === undefined ? '' : `, budget ${limit.toFixed(2)}: ${marks[judgement]}`;
    lines.push(
      `  ${row.what}`,
      `    Parley ${formatValue(row.ours, row.unit)}, ${row.beside} ${formatValue(row.baseline, row.unit)} ` +
        `again ${formatValue(row.again, row.unit)}`,
      `    ${getRatio(row).toFixed(2)} times, noise ${getNoise(row).toFixed(2)}${budget}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function machineInWords(): string {
  const [first] = cpus();
  return `${cpus().length} processors (${first?.model.trim() ?? 'unknown'}), ${process.platform} ${release()}, load ${(loadavg()[0] ?? 0).toFixed(1)}`;
}

const formatValue = (value: number, unit: string): string =>
  `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;
