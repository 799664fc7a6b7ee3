/** Speech at a headset or from a synthesizer is well above this, a quiet room well below. */
const voiceRms = 0.02;
/** Likely so much, and it is a voice. */
const voiceLikelihood = 0.5;
/** A click is shorter than this; a vowel is not. */
const stretchMs = 40;
/** Between words and sentences it is quiet for less than this. */
const holdMs = 400;

/**
 * Whether somebody speaks, on the time line of the samples themselves: by what the microphone's `VoiceModel` says of them, or,
 * where there is none to ask, by level alone.
 */
export class VoiceDetector {
  readonly #stretch: number;
  readonly #hold: number;
  #power = 0;
  #likelihood: number | undefined;
  #filled = 0;
  #quiet = Infinity;

  constructor(rate: number) {
    this.#stretch = Math.round((stretchMs * rate) / 1000);
    this.#hold = Math.round((holdMs * rate) / 1000);
  }

  get speaks(): boolean {
    return this.#quiet <= this.#hold;
  }

  /** How likely somebody speaks in the block, where that is known. */
  push(block: Float32Array, likelihood?: number): void {
    if (likelihood !== undefined) this.#likelihood = Math.max(likelihood, this.#likelihood ?? 0);
    for (let from = 0; from < block.length;) {
      const until = Math.min(block.length, from + this.#stretch - this.#filled);
      // Summed up in a variable: a field would be read and written for each sample.
      let power = this.#power;
      for (let n = from; n < until; n += 1) power += (block[n] ?? 0) * (block[n] ?? 0);
      this.#power = power;
      this.#filled += until - from;
      from = until;
      if (this.#filled < this.#stretch) continue;
      this.#quiet = this.#isVoice ? 0 : this.#quiet + this.#stretch;
      this.#power = 0;
      this.#likelihood = likelihood;
      this.#filled = 0;
    }
    if (this.#filled === 0) this.#likelihood = undefined;
  }

  /** There is nothing to hear any more. */
  stop(): void {
    this.#quiet = Infinity;
    this.#power = 0;
    this.#likelihood = undefined;
    this.#filled = 0;
  }

  get #isVoice(): boolean {
    // Behind a closed gate there is silence, whoever speaks.
    if (this.#likelihood !== undefined && this.#power > 0)
      return this.#likelihood >= voiceLikelihood;
    return this.#power >= voiceRms * voiceRms * this.#stretch;
  }
}
