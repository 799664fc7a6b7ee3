import type { LatencyKind } from '../../../shared/talk/talk-stats.ts';
import type { SubjectStats } from './subject.ts';
import { quantile } from '../../../shared/statistics.ts';

/** One measured figure and its limit. */
export interface Finding {
  readonly what: string;
  readonly limit: string;
  readonly found: string;
  readonly met: boolean;
}

export type Measure = () => Promise<readonly Finding[]>;

/** Formats the median, 95th percentile, maximum and count. */
export function formatTimes(values: readonly number[]): string {
  const percentile = (fraction: number): string => quantile(values, fraction).toFixed(0);
  return `median ${percentile(0.5)} ms, p95 ${percentile(0.95)}, maximum ${percentile(1)}, of ${values.length}`;
}

/** Formats the latency that Parley measured itself. */
export function describeOwnStats({ talk }: SubjectStats, kind: LatencyKind): string {
  const own = talk?.measures.steps[kind];
  return `Parley itself: median ${round(own?.median)} ms, p95 ${round(own?.p95)}, of ${own?.count ?? 0}`;
}

export function rounded(values: readonly number[]): string {
  return values.map((value) => value.toFixed(0)).join(', ');
}

function round(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(0);
}
