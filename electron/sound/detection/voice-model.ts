import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import { ChunkSpectra, chunkSamples } from './chunk-spectra.ts';
import { StepSpectrum } from './step-spectrum.ts';
import { VoiceJudge } from './voice-judge.ts';
import { VoiceNetwork } from './voice-network.ts';

/** A voice is told every 10 ms. */
export const voiceStep = inputRate / 100;

/**
 * How likely somebody speaks, told every 10 ms, however loud it is: by a network that hears chunks of 32 ms, and by the
 * level of each step.
 */
export class VoiceModel {
  readonly #spectra = new ChunkSpectra();
  readonly #network = new VoiceNetwork();
  readonly #judge = new VoiceJudge();
  readonly #spectrum = new StepSpectrum();
  readonly #step = new Float32Array(voiceStep);
  readonly #chunk = new Float32Array(chunkSamples);
  #filled = 0;
  #chunkFilled = 0;
  #likelihood = 0;

  /** From 0 to 1, as of the last whole step. */
  get likelihood(): number {
    return this.#likelihood;
  }

  /** The power of each bin in the last whole step. */
  get power(): Float32Array {
    return this.#spectrum.power;
  }

  /** So many samples are missing in the step that has begun. */
  get missing(): number {
    return voiceStep - this.#filled;
  }

  /** The step that came last is over, so that the likelihood is of now. */
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
      this.#hear(this.#step);
    }
  }

  /** What comes now does not go on from what came before. */
  reset(): void {
    this.#spectra.reset();
    this.#network.reset();
    this.#judge.reset();
    this.#spectrum.reset();
    this.#filled = 0;
    this.#chunkFilled = 0;
    this.#likelihood = 0;
  }

  #hear(step: Float32Array): void {
    this.#spectrum.push(step);
    for (let n = 0; n < voiceStep; n += 1) {
      this.#chunk[this.#chunkFilled] = step[n] ?? 0;
      this.#chunkFilled += 1;
      if (this.#chunkFilled < chunkSamples) continue;
      this.#chunkFilled = 0;
      this.#spectra.push(this.#chunk);
      this.#network.push(this.#spectra.rows);
      this.#judge.hear(this.#network.findings);
    }
    this.#likelihood = this.#judge.likelihood(step);
  }
}
