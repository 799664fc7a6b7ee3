/** Speech at a headset or from a synthesizer is well above this, a quiet room well below. */
const voiceRms = 0.02;
/** A click is shorter than this; a vowel is not. */
const stretchMs = 40;
/** Between words and sentences it is quiet for less than this. */
const holdMs = 400;

/** Whether somebody speaks, by level alone, on the time line of the samples themselves. */
export class VoiceDetector {
  readonly #stretch: number;
  readonly #hold: number;
  #power = 0;
  #filled = 0;
  #quiet = Infinity;

  constructor(rate: number) {
    this.#stretch = Math.round((stretchMs * rate) / 1000);
    this.#hold = Math.round((holdMs * rate) / 1000);
  }

  get speaks(): boolean {
    return this.#quiet <= this.#hold;
  }

  push(block: Float32Array): void {
    for (let n = 0; n < block.length; n += 1) {
      const sample = block[n] ?? 0;
      this.#power += sample * sample;
      this.#filled += 1;
      if (this.#filled < this.#stretch) continue;
      const loud = this.#power >= voiceRms * voiceRms * this.#stretch;
      this.#quiet = loud ? 0 : this.#quiet + this.#stretch;
      this.#power = 0;
      this.#filled = 0;
    }
  }

  /** There is nothing to hear any more. */
  stop(): void {
    this.#quiet = Infinity;
    this.#power = 0;
    this.#filled = 0;
  }
}
