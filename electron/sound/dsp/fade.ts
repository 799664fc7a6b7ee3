/** Short enough to be heard as a cut, long enough not to be heard as a click. */
const fadeMs = 5;

/** The samples of a fade at a rate; at least one. */
export function fadeLength(rate: number): number {
  return Math.max(1, Math.round((fadeMs * rate) / 1000));
}

/**
 * The rising half of a raised cosine. It is taken in the middle of each sample, so that it mirrors
 * itself: rising and falling add up to 1 everywhere.
 */
export function fadeCurve(length: number): Float32Array {
  // Not `Float32Array.from` of a length: it takes several times as long, and each period put in asks for a curve.
  const curve = new Float32Array(length);
  for (let n = 0; n < length; n += 1) curve[n] = (1 - Math.cos((Math.PI * (n + 0.5)) / length)) / 2;
  return curve;
}

/** Raises the block's first 5 ms from silence, in place; all of it where it is shorter. */
export function fadeIn(block: Float32Array, rate: number): void {
  const curve = fadeCurve(Math.min(block.length, fadeLength(rate)));
  for (let n = 0; n < curve.length; n += 1) block[n] = (block[n] ?? 0) * (curve[n] ?? 0);
}
