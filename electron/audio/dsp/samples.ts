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

export function joinSamples(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Writes a block into a ring from a place on, its newest samples where it is longer; returns the place behind it. */
export function writeRing(ring: Float32Array, at: number, block: Float32Array): number {
  const { length } = ring;
  const left = Math.max(0, block.length - length);
  const newest = left > 0 ? block.subarray(left) : block;
  const start = (at + left) % length;
  const first = Math.min(newest.length, length - start);
  ring.set(newest.subarray(0, first), start);
  ring.set(newest.subarray(first), 0);
  return (start + newest.length) % length;
}

/** Puts a block to the end of a memory, the oldest of which goes; of a longer block its newest samples. */
export function shiftIn(memory: Float32Array, block: Float32Array): void {
  const { length } = memory;
  const newest = block.length > length ? block.subarray(block.length - length) : block;
  memory.copyWithin(0, newest.length);
  memory.set(newest, length - newest.length);
}
