import { cpus, loadavg, release } from 'node:os';
import type { Judgement, Verdict } from './budget.ts';
import { getNoise, getRatio } from './row.ts';
import type { Row } from './row.ts';

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
