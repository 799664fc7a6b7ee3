/** Nothing is quieter: silence has no logarithm. */
const floorDb = -100;

/** How loud a block is as a whole; what is no number counts as silence. */
export function levelDb(block: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < block.length; n += 1) {
    const sample = block[n] ?? 0;
    if (Math.abs(sample) < Infinity) sum += sample * sample;
  }
  return sum > 0 ? Math.max(floorDb, 10 * Math.log10(sum / block.length)) : floorDb;
}
