/** Nearest-rank quantile, for a fraction from 0 to 1. NaN if there are no values. */
export function quantile(values: ArrayLike<number>, fraction: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle value, or the mean of the two middle ones. NaN if there are no values. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).toSorted();
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
  return (lower + (sorted[sorted.length >> 1] ?? Number.NaN)) / 2;
}
