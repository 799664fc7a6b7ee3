import { quantile } from '../../shared/statistics.ts';

/** Fits a line to points by least squares. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): {
  readonly slope: number;
  /** The coefficient of determination, from 0 to 1. */
  readonly fit: number;
} {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const sum = (of: (x: number, y: number) => number): number =>
    points.reduce((all, [px, py]) => all + of(px - x, py - y), 0);
  const [xx, xy, yy] = [sum((x) => x * x), sum((x, y) => x * y), sum((_, y) => y * y)];
  return { slope: xx === 0 ? 0 : xy / xx, fit: xx * yy === 0 ? 0 : (xy * xy) / (xx * yy) };
}

/**
 * The largest rise, from end to end, that a fitted line shows by chance in 19 of 20 runs with as many points and as much
 * spread.
 * A smaller slope does not prove drift. The spread is the interquartile range, so that outliers do not count.
 */
export function riseByChance(values: readonly number[]): number {
  const deviation = (quantile(values, 0.75) - quantile(values, 0.25)) / 1.35;
  return 2 * deviation * Math.sqrt(12 / values.length);
}
