import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { emptyHalfSpectrum, powerSpectrum, RealFft } from '../dsp/real-fft.ts';
import { shiftIn } from '../dsp/samples.ts';
import { applyOnce, rectify, sigmoid } from '../learned/learned-layers.ts';
import {
  chunkFindings,
  chunkSamples,
  ChunkSpectra,
  voiceLayers as layers,
  VoiceNetwork,
} from './voice-network.ts';

/** Samples per likelihood: 10 ms. */
export const voiceStep = inputRate / 100;

/**
 * Estimates the probability of speech every 10 ms, independent of level. It combines a network on 32 ms chunks
 * with the level of each step.
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

  /** From 0 to 1, for the last complete step. */
  get likelihood(): number {
    return this.#likelihood;
  }

  /** The power of each bin in the last complete step. */
  get power(): Float32Array {
    return this.#spectrum.power;
  }

  /** Samples missing from the current step. */
  get missing(): number {
    return voiceStep - this.#filled;
  }

  /** True at a step boundary, where the likelihood is current. */
  get isWhole(): boolean {
    return this.#filled === 0;
  }

  /** Accepts any length, at `inputRate`. */
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

  /** Discards all state, because the next sound is not a continuation. */
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

/** Weight and scale of the network's own likelihood among the inputs. */
const ownShare = 0.5;
const ownScale = 0.3;
/** The network's likelihood before its first chunk. */
const beforeFirst = -1;

/** Combines the network's latest findings with the current level, every 10 ms. */
class VoiceJudge {
  readonly #levels = new StepLevels();
  readonly #inputs = new Float32Array(chunkFindings + levelFindings);
  readonly #between = new Float32Array(layers.together.outputs);
  readonly #sum = new Float32Array(1);

  constructor() {
    this.reset();
  }

  /** Stores a chunk's findings; they apply until the next chunk. */
  hear(findings: Float32Array): void {
    this.#inputs[0] = ownScale * (findings[0] ?? 0);
    for (let n = 1; n < chunkFindings; n += 1) this.#inputs[n] = Math.tanh(findings[n] ?? 0);
  }

  likelihood(step: Float32Array): number {
    this.#levels.push(step);
    this.#inputs.set(this.#levels.values, chunkFindings);
    applyOnce(layers.together, this.#inputs, this.#between);
    rectify(this.#between);
    applyOnce(layers.voice, this.#between, this.#sum);
    return sigmoid((this.#sum[0] ?? 0) + (ownShare / ownScale) * (this.#inputs[0] ?? 0));
  }

  reset(): void {
    this.#levels.reset();
    this.#inputs.fill(0);
    this.#inputs[0] = beforeFirst;
  }
}

/** Added power, so that digital silence has a finite level. */
const leastPower = 1e-9;
/** The noise level is the softest of this many steps. */
const roomSteps = 151;
/** Loudest and mean level are taken over this many steps. */
const recentSteps = 101;
/** Pre-emphasis factor of a high-pass above some 1 kHz. */
const ofSampleBefore = 0.95;
const levelFindings = 10;

/** Levels of each 10 ms step against its past, for the full band and the high band. */
class StepLevels {
  readonly values = new Float32Array(levelFindings);
  readonly #whole = new PastLevels();
  readonly #high = new PastLevels();
  #sampleBefore = 0;

  push(step: Float32Array): void {
    let whole = 0;
    let high = 0;
    let before = this.#sampleBefore;
    for (let n = 0; n < step.length; n += 1) {
      const sample = step[n] ?? 0;
      const rise = sample - ofSampleBefore * before;
      whole += sample * sample;
      high += rise * rise;
      before = sample;
    }
    this.#sampleBefore = before;
    const wholeDb = 10 * Math.log10(whole / step.length + leastPower);
    const highDb = 10 * Math.log10(high / step.length + leastPower);
    this.#whole.push(wholeDb);
    this.#high.push(highDb);
    this.#whole.tell(this.values, 0);
    this.#high.tell(this.values, 4);
    this.values[8] = (wholeDb - this.#whole.mean) / 20;
    this.values[9] = (highDb - wholeDb) / 10;
  }

  reset(): void {
    this.#whole.reset();
    this.#high.reset();
    this.#sampleBefore = 0;
  }
}

/** The levels of the last 1.5 s, newest last. The first level fills the history. */
class PastLevels {
  readonly #levels = new Float32Array(roomSteps);
  #begun = false;

  reset(): void {
    this.#begun = false;
  }

  push(level: number): void {
    if (!this.#begun) this.#levels.fill(level);
    this.#begun = true;
    this.#levels.copyWithin(0, 1);
    this.#levels[roomSteps - 1] = level;
  }

  get mean(): number {
    let sum = 0;
    for (let at = roomSteps - recentSteps; at < roomSteps; at += 1) sum += this.#levels[at] ?? 0;
    return sum / recentSteps;
  }

  /** Writes the newest level against the noise, the loudest, the previous level and the third before it. */
  tell(into: Float32Array, at: number): void {
    const levels = this.#levels;
    const now = levels[roomSteps - 1] ?? 0;
    let softest = now;
    let loudest = now;
    for (let n = 0; n < roomSteps; n += 1) {
      const level = levels[n] ?? 0;
      if (level < softest) softest = level;
      if (level > loudest && n >= roomSteps - recentSteps) loudest = level;
    }
    into[at] = (now - softest) / 20 - 0.5;
    into[at + 1] = (now - loudest) / 20;
    into[at + 2] = (now - (levels[roomSteps - 2] ?? 0)) / 10;
    into[at + 3] = (now - (levels[roomSteps - 4] ?? 0)) / 10;
  }
}

const size = 512;

/** The power of each bin in the last 32 ms, computed lazily. */
class StepSpectrum {
  readonly #power = new Float32Array(size / 2 + 1);
  readonly #heard = new Float32Array(size);
  readonly #work = new Float32Array(size);
  readonly #fft = new RealFft(size);
  readonly #spectrum = emptyHalfSpectrum(size);
  readonly #shape = Float32Array.from(
    { length: size },
    (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (n + 0.5)) / size),
  );
  #isKnown = true;

  get power(): Float32Array {
    if (this.#isKnown) return this.#power;
    this.#isKnown = true;
    for (let n = 0; n < size; n += 1) this.#work[n] = (this.#heard[n] ?? 0) * (this.#shape[n] ?? 0);
    this.#fft.forward(this.#work, this.#spectrum);
    powerSpectrum(this.#spectrum, this.#power);
    return this.#power;
  }

  push(step: Float32Array): void {
    shiftIn(this.#heard, step);
    this.#isKnown = false;
  }

  reset(): void {
    this.#heard.fill(0);
    this.#power.fill(0);
    this.#isKnown = true;
  }
}
