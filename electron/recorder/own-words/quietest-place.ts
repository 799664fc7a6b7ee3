/** Between words it is quiet for so many pieces. */
const width = 3;

/** Before which piece it is quietest, from one of them on; a word is not cut where it can be helped. */
export function quietestPlace(pieces: readonly Float32Array[], from: number): number {
  const powers = pieces.map(powerOf);
  let best = pieces.length;
  let least = Infinity;
  for (let place = Math.max(1, from); place + width <= pieces.length; place += 1) {
    const power = powers.slice(place, place + width).reduce((sum, each) => sum + each, 0);
    if (power > least) continue;
    least = power;
    best = place + Math.floor(width / 2);
  }
  return best;
}

function powerOf(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
}
