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
