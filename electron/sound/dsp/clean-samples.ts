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
