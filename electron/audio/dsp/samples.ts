/**
 * Makes silence, in place, of what is no number (drivers hand it out when a device goes), and says
 * of how many samples. Loud samples stay: clipping is left to the level meter and the wire.
 */
export function cleanSamples(block: Float32Array): number {
  let bad = 0;
  for (let n = 0; n < block.length; n += 1) {
    if (Number.isFinite(block[n])) continue;
    block[n] = 0;
    bad += 1;
  }
  return bad;
}

/** In place: the block is the caller's own. */
export function applyGain(block: Float32Array, gain: number): void {
  if (gain === 1) return;
  for (let n = 0; n < block.length; n += 1) block[n] = (block[n] ?? 0) * gain;
}

/** One block of zeros for everybody, handed out in pieces: a long silence needs no long buffer. */
const maxBlock = 4096;
const zeros = new Float32Array(maxBlock);

/** Gives exactly so many samples of silence. The blocks are everybody's: nobody may write to them. */
export function emitSilence(samples: number, give: (block: Float32Array) => void): void {
  for (let left = samples; left > 0; left -= maxBlock) {
    give(left < maxBlock ? zeros.subarray(0, left) : zeros);
  }
}

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
