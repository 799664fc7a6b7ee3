import type { LatencyKind } from '../../../shared/talk/talk-stats.ts';
import type { SubjectStats } from './subject.ts';

export interface Finding {
  readonly what: string;
  readonly limit: string;
  readonly found: string;
  readonly met: boolean;
}

export type Measure = () => Promise<readonly Finding[]>;

export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

/** Formats the median, 95th percentile, maximum and count. */
export function inWords(values: readonly number[]): string {
  const percentile = (fraction: number): string => quantile(values, fraction).toFixed(0);
  return `median ${percentile(0.5)} ms, p95 ${percentile(0.95)}, most ${percentile(1)}, of ${values.length}`;
}

/** Formats the figure that Parley measured itself. */
export function describeOwnStats({ figures }: SubjectStats, kind: LatencyKind): string {
  const own = figures?.measures.steps[kind];
  return `Parley itself: median ${round(own?.median)} ms, p95 ${round(own?.p95)}, of ${own?.count ?? 0}`;
}

export function rounded(values: readonly number[]): string {
  return values.map((value) => value.toFixed(0)).join(', ');
}

function round(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(0);
}
