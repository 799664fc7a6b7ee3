// `VoiceModel` estimates how likely each 10 ms of sound is speech. `VoiceDetector` decides from that, or from the level,
// whether somebody speaks.

/** RMS between that of a quiet room and that of speech into a headset. */
const voiceRms = 0.02;
/** Doors, keys and other noises exceed 0.5 in 5 % of the steps, but this threshold in fewer than 3 %. */
const voiceLikelihood = 0.7;
/** Longer than a click, shorter than a vowel. */
const windowMs = 40;
/** Longer than most gaps between words. */
const holdMs = 400;

/**
 * Detects speech on the samples' own timeline: by the likelihood of `VoiceModel`, or by level alone if there is none.
 */
export class VoiceDetector {
  readonly #window: number;
  readonly #hold: number;
  #power = 0;
  #likelihood: number | undefined;
  #filled = 0;
  #samplesSinceVoice = Infinity;

  constructor(rate: number) {
    this.#window = Math.round((windowMs * rate) / 1000);
    this.#hold = Math.round((holdMs * rate) / 1000);
  }

  get isSpeaking(): boolean {
    return this.#samplesSinceVoice <= this.#hold;
  }

  push(block: Float32Array, likelihood?: number): void {
    if (likelihood !== undefined) this.#likelihood = Math.max(likelihood, this.#likelihood ?? 0);
    for (let from = 0; from < block.length;) {
      const until = Math.min(block.length, from + this.#window - this.#filled);
      // A local variable avoids a field read and write per sample.
      let power = this.#power;
      for (let n = from; n < until; n += 1) power += (block[n] ?? 0) * (block[n] ?? 0);
      this.#power = power;
      this.#filled += until - from;
      from = until;
      if (this.#filled < this.#window) continue;
      this.#samplesSinceVoice = this.#isVoice ? 0 : this.#samplesSinceVoice + this.#window;
      this.#power = 0;
      this.#likelihood = likelihood;
      this.#filled = 0;
    }
    if (this.#filled === 0) this.#likelihood = undefined;
  }

  reset(): void {
    this.#samplesSinceVoice = Infinity;
    this.#power = 0;
    this.#likelihood = undefined;
    this.#filled = 0;
  }

  get #isVoice(): boolean {
    // The likelihood was measured before the transmit gate. A closed gate makes the block silent, and silence is no voice,
    // whatever the likelihood.
    if (this.#likelihood !== undefined && this.#power > 0)
      return this.#likelihood >= voiceLikelihood;
    return this.#power >= voiceRms * voiceRms * this.#window;
  }
}
