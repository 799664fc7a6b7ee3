import { VoiceFeatures, voiceStep } from './voice-features.ts';
import { VoiceNetwork } from './voice-network.ts';

/** How much a step says of the likelihood: one alone may err. */
const newest = 0.5;

/** How likely somebody speaks, told every 10 ms by a small network, however loud it is. */
export class VoiceModel {
  readonly #features = new VoiceFeatures();
  readonly #network = new VoiceNetwork();
  readonly #step = new Float32Array(voiceStep);
  #filled = 0;
  #likelihood = 0;

  /** From 0 to 1, as of the last whole step. */
  get likelihood(): number {
    return this.#likelihood;
  }

  /** The power of each bin in the last whole step. */
  get power(): Float32Array {
    return this.#features.power;
  }

  /** So many samples are missing in the step that has begun. */
  get missing(): number {
    return voiceStep - this.#filled;
  }

  /** What came last ended a step: what is told is of now. */
  get isWhole(): boolean {
    return this.#filled === 0;
  }

  /** Sound of any length, at the rate of what goes to the server. */
  push(block: Float32Array): void {
    for (let from = 0; from < block.length;) {
      const count = Math.min(block.length - from, this.missing);
      for (let n = 0; n < count; n += 1) this.#step[this.#filled + n] = block[from + n] ?? 0;
      this.#filled += count;
      from += count;
      if (this.missing > 0) return;
      this.#filled = 0;
      this.#features.push(this.#step);
      const now = this.#network.likelihood(this.#features.values);
      this.#likelihood += newest * (now - this.#likelihood);
    }
  }

  /** What comes now does not go on from what came before. */
  reset(): void {
    this.#features.reset();
    this.#filled = 0;
    this.#likelihood = 0;
  }
}
