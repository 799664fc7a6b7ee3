import { emptyHalfSpectrum, type HalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import { appendToHistory } from '../dsp/samples.ts';
import { echoBlockSamples, echoMemorySamples } from './echo-canceller.ts';

const block = echoBlockSamples;
export const echoFftSize = 512;
const bins = echoFftSize / 2 + 1;
/** A partition spans two blocks, which halves their number. */
const stride = 2;
const taps = stride * block;
/** Length of the modelled echo path, sound card included. */
const partitions = 13;
/** Share of the newest block in a spectrum's window. */
const share = block / echoFftSize;
/** Per-block decay of the path in the Kalman model. */
const retention = 0.9993;
const powerRetention = retention * retention;
const drift = 1 - powerRetention;
const firstPower = 0.02;
/** Minimum path uncertainty, so that an echo is learned after headphones are unplugged. */
const leastPower = 0.0003;
const fading = 0.88;
/** After a path change, the uncertainty relative to the path's power. */
const changed = 4;
/** Damps the decrease of uncertainty per block, because one block excites only a part of the path. */
const learningDamping = 0.3;
const smoothing = 0.85;
const tiny = 1e-9;

interface Partition {
  readonly path: HalfSpectrum;
  /** The path when it last worked well. */
  readonly proven: HalfSpectrum;
  readonly doubt: Float32Array;
}

/**
 * Learns the echo path from speaker to microphone: a partitioned Kalman filter in the frequency domain. It learns
 * fast while uncertain and slowly during near-end speech, so it needs no double-talk detector.
 */
export class EchoFilter {
  /** The echo in the last block according to the proven path. */
  readonly provenEcho = new Float32Array(block);
  readonly #fft = new RealFft(echoFftSize);
  /** Recent far end, as long as it may be heard. */
  readonly farEnd = new FarEndHistory(echoFftSize, partitions * stride);
  readonly #parts: readonly Partition[];
  readonly #sum = emptyHalfSpectrum(echoFftSize);
  readonly #provenSum = emptyHalfSpectrum(echoFftSize);
  readonly #error = emptyHalfSpectrum(echoFftSize);
  readonly #work = new Float32Array(echoFftSize);
  /** The last block of the work buffer. */
  readonly #newest = this.#work.subarray(echoFftSize - block);
  readonly #near = new Float32Array(bins);
  readonly #total = new Float32Array(bins);
  readonly #weight = new Float64Array(bins);
  readonly #echo = new Float32Array(block);
  #turn = 0;
  #learned = 0;

  constructor() {
    this.#parts = Array.from({ length: partitions }, (_, index) => ({
      path: emptyHalfSpectrum(echoFftSize),
      proven: emptyHalfSpectrum(echoFftSize),
      doubt: new Float32Array(bins).fill(firstPower * fading ** index),
    }));
  }

  /** Discards the path; its power becomes the uncertainty of the next one. */
  forgetPath(): void {
    let power = 0;
    for (const { path } of this.#parts)
      for (let bin = 0; bin < bins; bin += 1)
        power += ((path.re[bin] ?? 0) ** 2 + (path.im[bin] ?? 0) ** 2) / bins;
    const doubted = Math.min(1, changed * power) * firstPower;
    this.#parts.forEach(({ path, doubt }, index) => {
      path.re.fill(0);
      path.im.fill(0);
      doubt.fill(doubted * fading ** index);
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
  expect(farEnd: Float32Array): Float32Array {
    this.farEnd.push(farEnd);
    this.#total.fill(0);
    for (const sum of [this.#provenSum, this.#sum]) {
      sum.re.fill(0);
      sum.im.fill(0);
    }
    this.#parts.forEach((part, index) => this.#addUp(part, index));
    this.#fft.inverse(this.#provenSum, this.#work);
    this.provenEcho.set(this.#newest);
    this.#fft.inverse(this.#sum, this.#work);
    this.#echo.set(this.#newest);
    return this.#echo;
  }

  /** Updates the path with the residual of that block. */
  learn(rest: Float32Array): void {
    this.#work.fill(0);
    this.#work.set(rest, echoFftSize - block);
    this.#fft.forward(this.#work, this.#error);
    const { re, im } = this.#error;
    this.#learned += 1;
    const rate = Math.max(1 - smoothing, 1 / this.#learned);
    for (let bin = 0; bin < bins; bin += 1) {
      const er = re[bin] ?? 0;
      const ei = im[bin] ?? 0;
      const near = this.#near[bin] ?? 0;
      this.#near[bin] = near + rate * (er * er + ei * ei - near);
    }
    this.#weigh();
    this.#parts.forEach((part, index) => this.#update(part, index));
    this.#constrain();
  }

  #spectrumOf(partition: number): HalfSpectrum {
    return this.farEnd.spectrumOf(partition * stride);
  }

  /** Adds a partition's echo by both paths, and its doubt. One loop, because each reads the far end. */
  #addUp({ path, proven, doubt }: Partition, index: number): void {
    const { re, im } = this.#spectrumOf(index);
    const [pathRe, pathIm, provenRe, provenIm] = [path.re, path.im, proven.re, proven.im];
    const [sumRe, sumIm] = [this.#sum.re, this.#sum.im];
    const [provenSumRe, provenSumIm] = [this.#provenSum.re, this.#provenSum.im];
    const total = this.#total;
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
      total[bin] = (total[bin] ?? 0) + share * (doubt[bin] ?? 0) * (fr * fr + fi * fi);
    }
  }

  /** Kalman gain without the uncertainty, computed once for all partitions. */
  #weigh(): void {
    for (let bin = 0; bin < bins; bin += 1)
      this.#weight[bin] = 1 / ((this.#total[bin] ?? 0) + (this.#near[bin] ?? 0) + tiny);
  }

  #update({ path, doubt }: Partition, index: number): void {
    const far = this.#spectrumOf(index);
    const [farRe, farIm, pathRe, pathIm] = [far.re, far.im, path.re, path.im];
    const { re, im } = this.#error;
    const weight = this.#weight;
    const least = leastPower * fading ** index;
    for (let bin = 0; bin < bins; bin += 1) {
      const fr = farRe[bin] ?? 0;
      const fi = farIm[bin] ?? 0;
      const er = re[bin] ?? 0;
      const ei = im[bin] ?? 0;
      const unsure = doubt[bin] ?? 0;
      const gain = unsure * (weight[bin] ?? 0);
      const pr = (pathRe[bin] ?? 0) + gain * (fr * er + fi * ei);
      const pi = (pathIm[bin] ?? 0) + gain * (fr * ei - fi * er);
      pathRe[bin] = pr;
      pathIm[bin] = pi;
      const left = Math.max(0, 1 - learningDamping * share * gain * (fr * fr + fi * fi));
      doubt[bin] = powerRetention * left * unsure + drift * Math.max(least, pr * pr + pi * pi);
    }
  }

  /** Limits the path to its partition's length; constrains one partition per block. */
  #constrain(): void {
    this.#turn = (this.#turn + 1) % partitions;
    const part = this.#parts[this.#turn];
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

/** Longer than the filter, so a change of delay can be applied. */
const pastSamples = echoMemorySamples;

/** The recent far end in blocks, each as the spectrum of a window that ends with it. */
export class FarEndHistory {
  readonly #fft: RealFft;
  readonly #size: number;
  readonly #window: Float32Array;
  readonly #past = new Float32Array(pastSamples);
  readonly #spectra: readonly HalfSpectrum[];
  readonly #none: HalfSpectrum;
  #newest = 0;

  constructor(size: number, blocks: number) {
    this.#fft = new RealFft(size);
    this.#size = size;
    this.#window = new Float32Array(size);
    this.#spectra = Array.from({ length: blocks }, () => emptyHalfSpectrum(size));
    this.#none = emptyHalfSpectrum(size);
  }

  /** The spectrum of the block played `age` blocks before the newest. */
  spectrumOf(age: number): HalfSpectrum {
    return this.#spectra[(this.#newest + age) % this.#spectra.length] ?? this.#none;
  }

  push(farEnd: Float32Array): void {
    const { length } = this.#spectra;
    appendToHistory(this.#past, farEnd);
    appendToHistory(this.#window, farEnd);
    this.#newest = (this.#newest + length - 1) % length;
    this.#fft.forward(this.#window, this.spectrumOf(0));
  }

  /** Shifts the far end by this many samples; positive is later. */
  delay(samples: number): void {
    const later = Math.round(samples);
    const moved = new Float32Array(pastSamples);
    if (later >= 0) moved.set(this.#past.subarray(0, pastSamples - later), later);
    else moved.set(this.#past.subarray(-later));
    this.remember(moved);
  }

  remember(played: Float32Array): void {
    this.#past.set(played);
    for (let age = 0; age < this.#spectra.length; age += 1) {
      const end = pastSamples - age * block;
      this.#window.fill(0);
      if (end >= this.#size) this.#window.set(this.#past.subarray(end - this.#size, end));
      this.#fft.forward(this.#window, this.spectrumOf(age));
    }
    this.#window.set(this.#past.subarray(pastSamples - this.#size));
  }
}
