/** Pitch and level of a part of the captured sound. */
interface Part {
  readonly hertz: number;
  readonly level: number;
}

const partsPerSecond = 4;
/** Share of the loudest part; below it is silence or a gap. */
const loudEnough = 0.7;

/**
 * Measures pitch and level of a tone as the median of quarter seconds with sound, because a busy sound server
 * leaves gaps.
 */
export class ToneMeter {
  readonly #samples: Float32Array;
  #filled = 0;
  readonly #parts: Part[] = [];

  constructor(rate: number) {
    this.#samples = new Float32Array(rate / partsPerSecond);
  }

  readonly push = (block: Float32Array): void => {
    for (const sample of block) {
      this.#samples[this.#filled] = sample;
      this.#filled += 1;
      if (this.#filled === this.#samples.length) this.#measure();
    }
  };

  /** Both are zero if nothing was heard. */
  get tone(): Part & { readonly of: number } {
    const loudest = Math.max(0, ...this.#parts.map(({ level }) => level));
    const loud = this.#parts.filter(({ level }) => level > loudest * loudEnough);
    return {
      hertz: middle(loud.map(({ hertz }) => hertz)),
      level: middle(loud.map(({ level }) => level)),
      of: loud.length,
    };
  }

  #measure(): void {
    const samples = this.#samples;
    this.#filled = 0;
    const level = Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);
    // Counts rising zero crossings.
    const rises = samples.filter((x, at) => x >= 0 && (samples[at - 1] ?? 0) < 0).length;
    this.#parts.push({ hertz: rises * partsPerSecond, level });
  }
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
