/** Pitch and loudness of a part of what was heard. */
interface Part {
  readonly hertz: number;
  readonly level: number;
}

const partsPerSecond = 4;
/** Of the loudest part: what is below it is silence, or has a gap. */
const loudEnough = 0.7;

/**
 * Pitch and loudness of a tone, as most of the quarters of seconds have them in which it sounds: on
 * a busy machine the sound server itself leaves gaps.
 */
export class ToneScale {
  readonly #samples: Float32Array;
  #filled = 0;
  readonly #parts: Part[] = [];

  constructor(rate: number) {
    this.#samples = new Float32Array(rate / partsPerSecond);
  }

  readonly hear = (block: Float32Array): void => {
    for (const sample of block) {
      this.#samples[this.#filled] = sample;
      this.#filled += 1;
      if (this.#filled === this.#samples.length) this.#weigh();
    }
  };

  /** Nothing was heard where both are zero. */
  get tone(): Part & { readonly of: number } {
    const loudest = Math.max(0, ...this.#parts.map(({ level }) => level));
    const loud = this.#parts.filter(({ level }) => level > loudest * loudEnough);
    return {
      hertz: middle(loud.map(({ hertz }) => hertz)),
      level: middle(loud.map(({ level }) => level)),
      of: loud.length,
    };
  }

  #weigh(): void {
    const samples = this.#samples;
    this.#filled = 0;
    const level = Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);
    // By how often it rises through zero.
    const rises = samples.filter((x, at) => x >= 0 && (samples[at - 1] ?? 0) < 0).length;
    this.#parts.push({ hertz: rises * partsPerSecond, level });
  }
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
