const loud = 0.02;
/** The tone itself is as quiet as that for less. */
const leastMs = 2;

/** Where between its first and its last sound nothing was to be heard. */
export class SilenceWatch {
  readonly #rate: number;
  #silent = 0;
  /** When the first sound was heard, by the arrival of its block. */
  began: number | undefined;
  gapsMs: number[] = [];

  constructor(rate: number) {
    this.#rate = rate;
  }

  reset(): void {
    this.#silent = 0;
    this.began = undefined;
    this.gapsMs = [];
  }

  hear(block: Float32Array, at: number): void {
    for (const sample of block) {
      if (Math.abs(sample) < loud) {
        this.#silent += 1;
        continue;
      }
      const gapMs = (this.#silent * 1000) / this.#rate;
      if (this.began !== undefined && gapMs > leastMs) this.gapsMs.push(gapMs);
      this.#silent = 0;
      this.began ??= at;
    }
  }
}
