/** Pitch and loudness of the loudest of the seconds that were heard. */
export class ToneScale {
  readonly #second: Float32Array;
  #filled = 0;
  level = 0;
  /** By how often it rises through zero. */
  hertz = 0;

  constructor(rate: number) {
    this.#second = new Float32Array(rate);
  }

  readonly hear = (block: Float32Array): void => {
    for (const sample of block) {
      this.#second[this.#filled] = sample;
      this.#filled += 1;
      if (this.#filled === this.#second.length) this.#weigh();
    }
  };

  #weigh(): void {
    const second = this.#second;
    this.#filled = 0;
    const level = Math.sqrt(second.reduce((sum, x) => sum + x * x, 0) / second.length);
    if (level < this.level) return;
    this.level = level;
    this.hertz = second.filter((x, at) => x >= 0 && (second[at - 1] ?? 0) < 0).length;
  }
}
