/** The fastest block within this time before and after gives the time of a sample. */
const steadyMs = 5000;
/** A tone above 400 Hz falls below this level only at zero crossings. */
export const loud = 0.02;
const minGapMs = 2;

/**
 * The recent recording of one of the rig's listeners. Blocks arrive with varying delay, but samples are evenly spaced, so
 * the fastest block gives the times of the others.
 */
export class SoundTape {
  readonly rate: number;
  readonly #ring: Float32Array;
  #count = 0;
  #blocks: { readonly until: number; readonly at: number }[] = [];

  constructor(rate: number, seconds = 40) {
    this.rate = rate;
    this.#ring = new Float32Array(rate * seconds);
  }

  get count(): number {
    return this.#count;
  }

  push(block: Float32Array, at: number): void {
    for (const sample of block) {
      this.#ring[this.#count % this.#ring.length] = sample;
      this.#count += 1;
    }
    this.#blocks.push({ until: this.#count, at });
    const kept = this.#count - this.#ring.length;
    if (this.#blocks.length % 100 === 0)
      this.#blocks = this.#blocks.filter(({ until }) => until > kept);
  }

  /** When a sample was played or captured. */
  timeOf(sample: number): number {
    const near = (steadyMs * this.rate) / 1000;
    let earliest = Infinity;
    for (const { until, at } of this.#blocks) {
      if (Math.abs(until - sample) < near) earliest = Math.min(earliest, at - this.#ms(until));
    }
    return earliest + this.#ms(sample);
  }

  sampleAt(time: number): number {
    const newest = this.#count - 1;
    return Math.round(newest - ((this.timeOf(newest) - time) * this.rate) / 1000);
  }

  part(from: number, until: number): Float32Array {
    return Float32Array.from({ length: Math.max(0, until - from) }, (_, n) => this.#at(from + n));
  }

  firstLoud(from: number): number | undefined {
    for (let at = from; at < this.#count; at += 1) if (this.#isLoud(at)) return at;
    return undefined;
  }

  lastLoud(from: number, until = this.#count): number | undefined {
    for (let at = until - 1; at >= from; at -= 1) if (this.#isLoud(at)) return at;
    return undefined;
  }

  gapsMs(from: number): readonly number[] {
    const first = this.firstLoud(from) ?? this.#count;
    const gaps: number[] = [];
    let silent = 0;
    for (let at = first; at < this.#count; at += 1) {
      if (!this.#isLoud(at)) silent += 1;
      else {
        if (this.#ms(silent) > minGapMs) gaps.push(this.#ms(silent));
        silent = 0;
      }
    }
    return gaps;
  }

  #isLoud(at: number): boolean {
    return Math.abs(this.#at(at)) >= loud;
  }

  #at(sample: number): number {
    return this.#ring[sample % this.#ring.length] ?? 0;
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.rate;
  }
}

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
