/** The middle of ascending values, or between the two in the middle; nothing of none. */
export function median(sorted: ArrayLike<number>): number | undefined {
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}

/** Of ascending values the smallest that at least this share does not exceed; nothing of none. */
export function quantile(sorted: ArrayLike<number>, share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
