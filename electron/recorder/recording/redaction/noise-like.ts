/** So finely captions and yielding look at sound, and no finer: pitch and what makes a voice known are gone. */
export const envelopeMs = 10;

/** Noise that is as loud as a sound, stretch by stretch, and has nothing else of it. The same each time. */
export class NoiseLike {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 1;
  }

  /** @param rate samples a second; the sound begins where a stretch begins */
  of(sound: Float32Array, rate: number): Float32Array {
    const length = Math.max(1, Math.round((rate * envelopeMs) / 1000));
    const noise = new Float32Array(sound.length);
    for (let from = 0; from < sound.length; from += length) {
      const stretch = noise.subarray(from, from + length);
      const level = levelOf(sound.subarray(from, from + length));
      if (level === 0) continue;
      for (let n = 0; n < stretch.length; n += 1) stretch[n] = this.#next();
      const factor = level / (levelOf(stretch) || 1);
      for (let n = 0; n < stretch.length; n += 1) stretch[n] = (stretch[n] ?? 0) * factor;
    }
    return noise;
  }

  #next(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return this.#state / 2 ** 31;
  }
}

/** RMS; what is no number is silent. */
function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) if (Math.abs(sample) < 1e6) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}
