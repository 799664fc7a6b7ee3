import { readFileSync } from 'node:fs';
import { inRoot } from '../../../scripts/lib/root.mjs';
import { getNoise, getRatio } from './row.ts';
import type { Row } from './row.ts';

export type Judgement = 'met' | 'broken' | 'noisy' | 'unknown';

export interface Verdict {
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
