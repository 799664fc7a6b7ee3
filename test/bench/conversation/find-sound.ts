export interface Found {
  readonly at: number;
  /** 1 if identical except for volume. */
  readonly likeness: number;
}

/** Finds a short sound in a longer one. */
export function findSound(pattern: Float32Array, within: Float32Array): Found {
  const power = powerOf(pattern);
  let best: Found = { at: 0, likeness: 0 };
  for (let at = 0; at + pattern.length <= within.length; at += 1) {
    let product = 0;
    let here = 0;
    for (let n = 0; n < pattern.length; n += 1) {
      const sample = within[at + n] ?? 0;
      product += sample * (pattern[n] ?? 0);
      here += sample * sample;
    }
    const likeness = here === 0 ? 0 : product / Math.sqrt(here * power);
    if (likeness > best.likeness) best = { at, likeness };
  }
  return best;
}

/** Averages groups of samples, for a faster search; speech needs no high frequencies. */
export function decimate(samples: Float32Array, by: number): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / by) }, (_, at) => {
    let sum = 0;
    for (let n = 0; n < by; n += 1) sum += samples[at * by + n] ?? 0;
    return sum / by;
  });
}

function powerOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum;
}
