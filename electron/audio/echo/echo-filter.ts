import { emptyHalfSpectrum, type HalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import { appendToHistory } from '../dsp/samples.ts';
import { echoBlockSamples, echoMemorySamples } from './echo-canceller.ts';

const block = echoBlockSamples;
export const echoFftSize = 512;
const bins = echoFftSize / 2 + 1;
/**
 * Blocks per partition of the path. Partitions of two blocks still fit into the FFT, and need half as many products as
 * partitions of one.
 */
const stride = 2;
const taps = stride * block;
/** Number of partitions: 260 ms of echo path, sound card included. */
const partitions = 13;
/** Share of an FFT window that is the newest block. */
const blockShare = block / echoFftSize;
/** Per-block decay of the path in the Kalman model. */
const retention = 0.9993;
const powerRetention = retention * retention;
const drift = 1 - powerRetention;
const initialUncertainty = 0.02;
/**
 * Floor of the path's power in the drift term. It keeps the filter uncertain, so that it learns an echo that appears
 * when headphones are unplugged.
 */
const pathPowerFloor = 0.0003;
/** Factor of the expected power from each partition to the next: the later a part of an echo path, the weaker it is. */
const partitionDecay = 0.88;
/**
 * When the path is discarded, the next one starts with `initialUncertainty` times the old path's power times this, at
 * most `initialUncertainty`.
 */
const changeFactor = 4;
/** Damps the decrease of uncertainty per block, because one block excites only a part of the path. */
const learningDamping = 0.3;
const powerSmoothing = 0.85;
const tiny = 1e-9;

interface Partition {
  readonly path: HalfSpectrum;
  /** The path when it last worked well. */
  readonly proven: HalfSpectrum;
  readonly uncertainty: Float32Array;
}

/**
 * Learns the echo path from speaker to microphone: a partitioned Kalman filter in the frequency domain. It learns
 * fast while uncertain and slowly during near-end speech, so it needs no double-talk detector.
 */
export class EchoFilter {
  /** The echo in the last block according to the proven path. */
  readonly provenEcho = new Float32Array(block);
  readonly #fft = new RealFft(echoFftSize);
  /** The far end, as far back as the path reaches. */
  readonly farEnd = new FarEndHistory(echoFftSize, partitions * stride);
  readonly #parts: readonly Partition[];
  readonly #sum = emptyHalfSpectrum(echoFftSize);
  readonly #provenSum = emptyHalfSpectrum(echoFftSize);
  readonly #error = emptyHalfSpectrum(echoFftSize);
  readonly #work = new Float32Array(echoFftSize);
  /** The last block of the work buffer. */
  readonly #newest = this.#work.subarray(echoFftSize - block);
  readonly #nearEndPower = new Float32Array(bins);
  readonly #echoUncertainty = new Float32Array(bins);
  readonly #weight = new Float64Array(bins);
  readonly #echo = new Float32Array(block);
  #constrainedIndex = 0;
  #learnedBlocks = 0;

  constructor() {
    this.#parts = Array.from({ length: partitions }, (_, index) => ({
      path: emptyHalfSpectrum(echoFftSize),
      proven: emptyHalfSpectrum(echoFftSize),
      uncertainty: new Float32Array(bins).fill(initialUncertainty * partitionDecay ** index),
    }));
  }

  /** Discards the path. The stronger it was, the more uncertain the next one starts. */
  forgetPath(): void {
    let power = 0;
    for (const { path } of this.#parts)
      for (let bin = 0; bin < bins; bin += 1)
        power += ((path.re[bin] ?? 0) ** 2 + (path.im[bin] ?? 0) ** 2) / bins;
    const startUncertainty = Math.min(1, changeFactor * power) * initialUncertainty;
    this.#parts.forEach(({ path, uncertainty }, index) => {
      path.re.fill(0);
      path.im.fill(0);
      uncertainty.fill(startUncertainty * partitionDecay ** index);
    });
  }

  saveProvenPath(): void {
    for (const { path, proven } of this.#parts) copy(path, proven);
  }

  restoreProvenPath(): void {
    for (const { path, proven } of this.#parts) copy(proven, path);
  }

  get played(): HalfSpectrum {
    return this.#spectrumOf(0);
  }

  /** Predicts the echo in the next block; valid until the next call. */
  predict(farEnd: Float32Array): Float32Array {
    this.farEnd.push(farEnd);
    this.#echoUncertainty.fill(0);
    for (const sum of [this.#provenSum, this.#sum]) {
      sum.re.fill(0);
      sum.im.fill(0);
    }
    this.#parts.forEach((part, index) => this.#addEcho(part, index));
    this.#fft.inverse(this.#provenSum, this.#work);
    this.provenEcho.set(this.#newest);
    this.#fft.inverse(this.#sum, this.#work);
    this.#echo.set(this.#newest);
    return this.#echo;
  }

  /** Updates the path with the residual of the block that was predicted last. */
  learn(residual: Float32Array): void {
    this.#work.fill(0);
    this.#work.set(residual, echoFftSize - block);
    this.#fft.forward(this.#work, this.#error);
    const { re, im } = this.#error;
    this.#learnedBlocks += 1;
    const rate = Math.max(1 - powerSmoothing, 1 / this.#learnedBlocks);
    for (let bin = 0; bin < bins; bin += 1) {
      const er = re[bin] ?? 0;
      const ei = im[bin] ?? 0;
      const power = this.#nearEndPower[bin] ?? 0;
      this.#nearEndPower[bin] = power + rate * (er * er + ei * ei - power);
    }
    this.#weigh();
    this.#parts.forEach((part, index) => this.#update(part, index));
    this.#constrain();
  }

  #spectrumOf(partition: number): HalfSpectrum {
    return this.farEnd.spectrumOf(partition * stride);
  }

  /** Adds a partition's echo by the current and the proven path, and its uncertainty, in one pass over the far end. */
  #addEcho({ path, proven, uncertainty }: Partition, index: number): void {
    const { re, im } = this.#spectrumOf(index);
    const [pathRe, pathIm, provenRe, provenIm] = [path.re, path.im, proven.re, proven.im];
    const [sumRe, sumIm] = [this.#sum.re, this.#sum.im];
    const [provenSumRe, provenSumIm] = [this.#provenSum.re, this.#provenSum.im];
    const echoUncertainty = this.#echoUncertainty;
    for (let bin = 0; bin < bins; bin += 1) {
      const fr = re[bin] ?? 0;
      const fi = im[bin] ?? 0;
      const pr = pathRe[bin] ?? 0;
      const pi = pathIm[bin] ?? 0;
      sumRe[bin] = (sumRe[bin] ?? 0) + fr * pr - fi * pi;
      sumIm[bin] = (sumIm[bin] ?? 0) + fr * pi + fi * pr;
      const qr = provenRe[bin] ?? 0;
      const qi = provenIm[bin] ?? 0;
      provenSumRe[bin] = (provenSumRe[bin] ?? 0) + fr * qr - fi * qi;
      provenSumIm[bin] = (provenSumIm[bin] ?? 0) + fr * qi + fi * qr;
      echoUncertainty[bin] =
        (echoUncertainty[bin] ?? 0) + blockShare * (uncertainty[bin] ?? 0) * (fr * fr + fi * fi);
    }
  }

  /** Computes the part of the Kalman gain that all partitions share; each multiplies it with its uncertainty. */
  #weigh(): void {
    for (let bin = 0; bin < bins; bin += 1)
      this.#weight[bin] =
        1 / ((this.#echoUncertainty[bin] ?? 0) + (this.#nearEndPower[bin] ?? 0) + tiny);
  }

  #update({ path, uncertainty }: Partition, index: number): void {
    const far = this.#spectrumOf(index);
    const [farRe, farIm, pathRe, pathIm] = [far.re, far.im, path.re, path.im];
    const { re, im } = this.#error;
    const weight = this.#weight;
    const minPathPower = pathPowerFloor * partitionDecay ** index;
    for (let bin = 0; bin < bins; bin += 1) {
      const fr = farRe[bin] ?? 0;
      const fi = farIm[bin] ?? 0;
      const er = re[bin] ?? 0;
      const ei = im[bin] ?? 0;
      const previousUncertainty = uncertainty[bin] ?? 0;
      const gain = previousUncertainty * (weight[bin] ?? 0);
      const pr = (pathRe[bin] ?? 0) + gain * (fr * er + fi * ei);
      const pi = (pathIm[bin] ?? 0) + gain * (fr * ei - fi * er);
      pathRe[bin] = pr;
      pathIm[bin] = pi;
      const shrinkage = Math.max(0, 1 - learningDamping * blockShare * gain * (fr * fr + fi * fi));
      uncertainty[bin] =
        powerRetention * shrinkage * previousUncertainty +
        drift * Math.max(minPathPower, pr * pr + pi * pi);
    }
  }

  /** Limits the path to its partition's length; constrains one partition per block. */
  #constrain(): void {
    this.#constrainedIndex = (this.#constrainedIndex + 1) % partitions;
    const part = this.#parts[this.#constrainedIndex];
    if (part === undefined) return;
    this.#fft.inverse(part.path, this.#work);
    this.#work.fill(0, taps);
    this.#fft.forward(this.#work, part.path);
  }
}

function copy(from: HalfSpectrum, to: HalfSpectrum): void {
  to.re.set(from.re);
  to.im.set(from.im);
}

/** Longer than the filter, so that a change of the delay can shift older sound in. */
const historySamples = echoMemorySamples;

/** The recent far end. Each block is stored as the spectrum of a window that ends with it. */
class FarEndHistory {
  readonly #fft: RealFft;
  readonly #size: number;
  readonly #window: Float32Array;
  readonly #samples = new Float32Array(historySamples);
  readonly #spectra: readonly HalfSpectrum[];
  readonly #emptySpectrum: HalfSpectrum;
  #newest = 0;

  constructor(size: number, blocks: number) {
    this.#fft = new RealFft(size);
    this.#size = size;
    this.#window = new Float32Array(size);
    this.#spectra = Array.from({ length: blocks }, () => emptyHalfSpectrum(size));
    this.#emptySpectrum = emptyHalfSpectrum(size);
  }

  /** The spectrum of the block that is `age` blocks older than the newest. */
  spectrumOf(age: number): HalfSpectrum {
    return this.#spectra[(this.#newest + age) % this.#spectra.length] ?? this.#emptySpectrum;
  }

  push(farEnd: Float32Array): void {
    const { length } = this.#spectra;
    appendToHistory(this.#samples, farEnd);
    appendToHistory(this.#window, farEnd);
    this.#newest = (this.#newest + length - 1) % length;
    this.#fft.forward(this.#window, this.spectrumOf(0));
  }

  /** Shifts the far end by this many samples; positive is later. */
  delay(samples: number): void {
    const shift = Math.round(samples);
    const shifted = new Float32Array(historySamples);
    if (shift >= 0) shifted.set(this.#samples.subarray(0, historySamples - shift), shift);
    else shifted.set(this.#samples.subarray(-shift));
    this.remember(shifted);
  }

  remember(played: Float32Array): void {
    this.#samples.set(played);
    for (let age = 0; age < this.#spectra.length; age += 1) {
      const end = historySamples - age * block;
      this.#window.fill(0);
      if (end >= this.#size) this.#window.set(this.#samples.subarray(end - this.#size, end));
      this.#fft.forward(this.#window, this.spectrumOf(age));
    }
    this.#window.set(this.#samples.subarray(historySamples - this.#size));
  }
}
