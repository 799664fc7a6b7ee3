/** In place: the block is the caller's own. */
export function applyGain(block: Float32Array, gain: number): void {
  if (gain === 1) return;
  for (let n = 0; n < block.length; n += 1) block[n] = (block[n] ?? 0) * gain;
}
