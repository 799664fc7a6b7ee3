import { readFileSync } from 'node:fs';
import { inRoot } from '../../../scripts/lib/root.mjs';
import { noiseOf, ratioOf } from './row.ts';
import type { Row } from './row.ts';

export type Judgement = 'met' | 'broken' | 'noisy' | 'unknown';

export interface Verdict {
  readonly judgement: Judgement;
  /** How many times the baseline it may be. */
  readonly limit?: number | undefined;
}

/** Two runs of one baseline that differ by more say nothing of the third. */
const mostNoise = 1.5;

/** Ratios, never milliseconds: the machine that measures is not the one they were written on. */
export function readBudget(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(inRoot('test', 'bench', 'budget.json'), 'utf8')) as Readonly<
    Record<string, number>
  >;
}

/** A figure that is within its limit is, however noisy the machine; one over it may be the noise. */
export function judgeBy(budget: Readonly<Record<string, number>>): (row: Row) => Verdict {
  return (row) => {
    const limit = budget[row.id];
    if (limit === undefined) return { judgement: 'unknown' };
    if (ratioOf(row) <= limit) return { judgement: 'met', limit };
    return { judgement: noiseOf(row) > mostNoise ? 'noisy' : 'broken', limit };
  };
}
