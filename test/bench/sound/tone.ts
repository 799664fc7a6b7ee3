const toneHz = 433.7;
const toneLevel = 0.5;

const loud = 0.02;

export class Tone {
  #at = 0;
  readonly #step: number;

  constructor(rate: number) {
    this.#step = (2 * Math.PI * toneHz) / rate;
  }

  next(count: number): Float32Array {
    const from = this.#at;
    this.#at += count;
    return Float32Array.from(
      { length: count },
      (_, index) => toneLevel * Math.sin(((from + index) * this.#step) % (2 * Math.PI)),
    );
  }
}

/** Notes when the first and the last block with sound arrived. */
export class ToneWatch {
  began: number | undefined;
  ended: number | undefined;

  reset(): void {
    this.began = undefined;
    this.ended = undefined;
  }

  push(block: Float32Array, at: number): void {
    if (!block.some((sample) => Math.abs(sample) >= loud)) return;
    this.began ??= at;
    this.ended = at;
  }
}
