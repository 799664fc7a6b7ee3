import { emptyHalfSpectrum, type HalfSpectrum, powerSpectrum, RealFft } from '../dsp/real-fft.ts';
import { appendToHistory } from '../dsp/samples.ts';
import { echoBlockSamples } from './echo-canceller.ts';
import { echoFftSize } from './echo-filter.ts';
import {
  echoBands,
  echoFeatures,
  type EchoJudge,
  EchoNetwork,
  fromBands,
  toBands,
} from './echo-network.ts';

const block = echoBlockSamples;
const bins = echoFftSize / 2 + 1;
/** Below −100 dBFS, sound counts as silence. */
const powerFloor = 1e-7;
/** Weight of the newest block in the coherence of residual and echo. */
const newest = 0.25;
const tiny = 1e-9;
/** Minimum presence for a block to count as near-end speech. */
const minPresence = 0.6;
/** Such blocks in a row before near-end speech is reported; a click is shorter. */
const minPresentBlocks = 5;
/** Blocks for which it stays reported, because words end softly. */
const heldBlocks = 30;

/** A block split into the expected echo and the rest. */
export interface SplitBlock {
  readonly left: HalfSpectrum;
  readonly expected: HalfSpectrum;
}

/** Suppresses residual echo with gains from a network. Its output is one block late. */
export class EchoSuppressor {
  readonly #judge: EchoJudge;
  readonly #fft = new RealFft(echoFftSize);
  readonly #shape = Float32Array.from({ length: 2 * block }, (_, n) =>
    Math.sin((Math.PI * (n + 0.5)) / (2 * block)),
  );
  readonly #rest = new Float32Array(2 * block);
  readonly #echo = new Float32Array(2 * block);
  readonly #work = new Float32Array(echoFftSize);
  readonly #heard = emptyHalfSpectrum(echoFftSize);
  readonly #expected = emptyHalfSpectrum(echoFftSize);
  readonly #provenEcho = new Float32Array(2 * block);
  readonly #proven = emptyHalfSpectrum(echoFftSize);
  readonly #provenRest = emptyHalfSpectrum(echoFftSize);
  /** The last block, split by the filter's path and by the proven path. */
  readonly split: SplitBlock = { left: this.#heard, expected: this.#expected };
  readonly provenSplit: SplitBlock = { left: this.#provenRest, expected: this.#proven };
  readonly #power = new Float32Array(bins);
  readonly #cross = emptyHalfSpectrum(echoFftSize);
  readonly #features = new Float32Array(echoFeatures);
  readonly #now = new Float32Array(echoBands);
  readonly #real = new Float32Array(echoBands);
  readonly #imaginary = new Float32Array(echoBands);
  readonly #restPower = new Float32Array(echoBands);
  readonly #echoPower = new Float32Array(echoBands);
  readonly #gains = new Float32Array(bins);
  readonly #overlap = new Float32Array(block);
  readonly #made = new Float32Array(block);
  #presentBlocks = 0;
  #heldBlocks = 0;

  constructor(judge: EchoJudge = new EchoNetwork()) {
    this.#judge = judge;
  }

  get hasNearEndSpeech(): boolean {
    return this.#heldBlocks > 0;
  }

  /** Passes a block without suppression. */
  pass(samples: Float32Array): Float32Array {
    this.#heldBlocks = 0;
    this.#transform(this.#rest, samples, this.#heard);
    this.#fft.inverse(this.#heard, this.#work);
    return this.#overlapped();
  }

  /** Takes the filter's residual, the echo it removed, and the echo that the proven path expects. */
  push(residual: Float32Array, echo: Float32Array, proven: Float32Array): void {
    this.#transform(this.#rest, residual, this.#heard);
    this.#transform(this.#echo, echo, this.#expected);
    this.#transform(this.#provenEcho, proven, this.#proven);
    const [heard, expected] = [this.#heard, this.#expected];
    const [provenEcho, provenResidual] = [this.#proven, this.#provenRest];
    for (let bin = 0; bin < bins; bin += 1) {
      provenResidual.re[bin] =
        (heard.re[bin] ?? 0) + (expected.re[bin] ?? 0) - (provenEcho.re[bin] ?? 0);
      provenResidual.im[bin] =
        (heard.im[bin] ?? 0) + (expected.im[bin] ?? 0) - (provenEcho.im[bin] ?? 0);
    }
  }

  /** Returns the pushed block after suppression; `played` is the current far end and `most` the highest gain. */
  process(played: HalfSpectrum, most = 1): Float32Array {
    this.#describe(played);
    this.#judge.judge(this.#features);
    this.#presentBlocks = this.#judge.presence > minPresence ? this.#presentBlocks + 1 : 0;
    this.#heldBlocks =
      this.#presentBlocks >= minPresentBlocks ? heldBlocks : Math.max(0, this.#heldBlocks - 1);
    fromBands(this.#judge.gains, this.#gains);
    const { re, im } = this.#heard;
    for (let bin = 0; bin < bins; bin += 1) {
      const gain = most * (this.#gains[bin] ?? 0);
      re[bin] = (re[bin] ?? 0) * gain;
      im[bin] = (im[bin] ?? 0) * gain;
    }
    this.#fft.inverse(this.#heard, this.#work);
    return this.#overlapped();
  }

  #transform(memory: Float32Array, samples: Float32Array, into: HalfSpectrum): void {
    appendToHistory(memory, samples);
    this.#work.fill(0);
    for (let n = 0; n < memory.length; n += 1)
      this.#work[n] = (memory[n] ?? 0) * (this.#shape[n] ?? 0);
    this.#fft.forward(this.#work, into);
  }

  #describe(played: HalfSpectrum): void {
    const features = this.#features;
    const { re: hr, im: hi } = this.#heard;
    const { re: er, im: ei } = this.#expected;
    const { re: real, im: turned } = this.#cross;
    const power = this.#power;
    powerSpectrum(this.#heard, power);
    toBands(power, features, 0);
    for (let bin = 0; bin < bins; bin += 1) {
      const a = hr[bin] ?? 0;
      const b = hi[bin] ?? 0;
      const c = er[bin] ?? 0;
      const d = ei[bin] ?? 0;
      power[bin] = (a + c) * (a + c) + (b + d) * (b + d);
      real[bin] = a * c + b * d;
      turned[bin] = b * c - a * d;
    }
    toBands(power, features, echoBands);
    powerSpectrum(this.#expected, power);
    toBands(power, features, 2 * echoBands);
    powerSpectrum(played, power);
    toBands(power, features, 3 * echoBands);
    this.#compare();
    for (let n = 0; n < 4 * echoBands; n += 1)
      features[n] = Math.log10((features[n] ?? 0) + powerFloor);
  }

  /** Coherence of residual and expected echo: from 0 to 1 in each band. */
  #compare(): void {
    const features = this.#features;
    toBands(this.#cross.re, this.#now, 0);
    for (let band = 0; band < echoBands; band += 1) mix(this.#real, band, this.#now[band] ?? 0);
    toBands(this.#cross.im, this.#now, 0);
    for (let band = 0; band < echoBands; band += 1) {
      mix(this.#imaginary, band, this.#now[band] ?? 0);
      mix(this.#restPower, band, features[band] ?? 0);
      mix(this.#echoPower, band, features[2 * echoBands + band] ?? 0);
      const powerProduct = (this.#restPower[band] ?? 0) * (this.#echoPower[band] ?? 0) + tiny;
      const real = this.#real[band] ?? 0;
      const imaginary = this.#imaginary[band] ?? 0;
      features[4 * echoBands + band] = (real * real + imaginary * imaginary) / powerProduct;
    }
  }

  #overlapped(): Float32Array {
    for (let n = 0; n < block; n += 1) {
      this.#made[n] = (this.#overlap[n] ?? 0) + (this.#work[n] ?? 0) * (this.#shape[n] ?? 0);
      this.#overlap[n] = (this.#work[block + n] ?? 0) * (this.#shape[block + n] ?? 0);
    }
    return this.#made;
  }
}

function mix(averages: Float32Array, band: number, value: number): void {
  averages[band] = (averages[band] ?? 0) + newest * (value - (averages[band] ?? 0));
}
