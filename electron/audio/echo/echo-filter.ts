import { emptyHalfSpectrum, type HalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import { shiftIn } from '../dsp/samples.ts';
import { echoBlockSamples, echoMemorySamples } from './echo-canceller.ts';

const block = echoBlockSamples;
export const echoFftSize = 512;
const bins = echoFftSize / 2 + 1;
/** A partition reaches over two blocks, so that half as many are needed. */
const stride = 2;
const taps = stride * block;
/** The longest echo that is modelled, the way through the sound card with it. */
const partitions = 13;
/** The newest block is so much of a spectrum's window. */
const share = block / echoFftSize;
/** The path is believed to change by this a block… */
const forget = 0.9993;
const kept = forget * forget;
const drift = 1 - kept;
/** …and to be this strong before anything is known of it. */
const firstPower = 0.02;
/** Where there is no echo one may come: headphones are unplugged. */
const leastPower = 0.0003;
const fading = 0.88;
/** Where it has changed, by how much of its own strength. */
const changed = 4;
/** Each block takes away so much of the doubt that it could: what it heard is not all that there is to hear. */
const trust = 0.3;
const smoothing = 0.85;
const tiny = 1e-9;

interface Partition {
  readonly path: HalfSpectrum;
  /** As it was when it last worked well. */
  readonly proven: HalfSpectrum;
  /** How wrong the path may be, bin by bin. */
  readonly doubt: Float32Array;
}

/**
 * The way from the loudspeaker to the microphone, learned while it is used: a Kalman filter in the
 * frequency domain, in partitions. It learns fast where it doubts and slowly where somebody speaks,
 * so that nobody has to be told when both talk at once.
 */
export class EchoFilter {
  /** The echo that was expected in the last block by the way that is proven. */
  readonly steady = new Float32Array(block);
  readonly #fft = new RealFft(echoFftSize);
  /** What was played lately, as far as it may still be heard. */
  readonly farEnd = new FarEndHistory(echoFftSize, partitions * stride);
  readonly #parts: readonly Partition[];
  readonly #sum = emptyHalfSpectrum(echoFftSize);
  readonly #error = emptyHalfSpectrum(echoFftSize);
  readonly #work = new Float32Array(echoFftSize);
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

  /** Another way is as strong as the one that was known, but that is all that is known of it. */
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

  /** Keeps the path as proven: it works well by now. */
  prove(): void {
    for (const { path, proven } of this.#parts) copy(path, proven);
  }

  /** Goes back to the proven path: the one learned since then was wrong. */
  fallBack(): void {
    for (const { path, proven } of this.#parts) copy(proven, path);
  }

  get played(): HalfSpectrum {
    return this.#spectrumOf(0);
  }

  /** The echo that is expected in the next block; good until the next call. */
  expect(farEnd: Float32Array): Float32Array {
    this.farEnd.push(farEnd);
    this.steady.set(this.#heardBy('proven'));
    this.#echo.set(this.#heardBy('path'));
    this.#addUpDoubt();
    return this.#echo;
  }

  /** Learns from what was left of that block when the expected echo was taken out. */
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

  /** The echo of what was played, by one of the two paths; good until the next one. */
  #heardBy(way: 'path' | 'proven'): Float32Array {
    this.#sum.re.fill(0);
    this.#sum.im.fill(0);
    this.#parts.forEach((part, index) => addProduct(this.#spectrumOf(index), part[way], this.#sum));
    this.#fft.inverse(this.#sum, this.#work);
    return this.#work.subarray(echoFftSize - block);
  }

  #addUpDoubt(): void {
    const total = this.#total;
    total.fill(0);
    this.#parts.forEach(({ doubt }, index) => {
      const { re, im } = this.#spectrumOf(index);
      for (let bin = 0; bin < total.length; bin += 1) {
        const fr = re[bin] ?? 0;
        const fi = im[bin] ?? 0;
        total[bin] = (total[bin] ?? 0) + share * (doubt[bin] ?? 0) * (fr * fr + fi * fi);
      }
    });
  }

  /** By how much of its doubt a path follows an error, and how far it does: divided once for all partitions. */
  #weigh(): void {
    for (let bin = 0; bin < bins; bin += 1)
      this.#weight[bin] = 1 / ((this.#total[bin] ?? 0) + (this.#near[bin] ?? 0) + tiny);
  }

  #update({ path, doubt }: Partition, index: number): void {
    const far = this.#spectrumOf(index);
    const { re, im } = this.#error;
    const weight = this.#weight;
    const least = leastPower * fading ** index;
    for (let bin = 0; bin < weight.length; bin += 1) {
      const fr = far.re[bin] ?? 0;
      const fi = far.im[bin] ?? 0;
      const er = re[bin] ?? 0;
      const ei = im[bin] ?? 0;
      const unsure = doubt[bin] ?? 0;
      const gain = unsure * (weight[bin] ?? 0);
      const pr = (path.re[bin] ?? 0) + gain * (fr * er + fi * ei);
      const pi = (path.im[bin] ?? 0) + gain * (fr * ei - fi * er);
      path.re[bin] = pr;
      path.im[bin] = pi;
      const left = Math.max(0, 1 - trust * share * gain * (fr * fr + fi * fi));
      doubt[bin] = kept * left * unsure + drift * Math.max(least, pr * pr + pi * pi);
    }
  }

  /** A path is no longer than its partition; one of them is shortened in each block. */
  #constrain(): void {
    this.#turn = (this.#turn + 1) % partitions;
    const part = this.#parts[this.#turn];
    if (part === undefined) return;
    this.#fft.inverse(part.path, this.#work);
    this.#work.fill(0, taps);
    this.#fft.forward(this.#work, part.path);
  }
}

function addProduct(one: HalfSpectrum, other: HalfSpectrum, sum: HalfSpectrum): void {
  const { re, im } = sum;
  for (let bin = 0; bin < re.length; bin += 1) {
    const ar = one.re[bin] ?? 0;
    const ai = one.im[bin] ?? 0;
    const br = other.re[bin] ?? 0;
    const bi = other.im[bin] ?? 0;
    re[bin] = (re[bin] ?? 0) + ar * br - ai * bi;
    im[bin] = (im[bin] ?? 0) + ar * bi + ai * br;
  }
}

function copy(from: HalfSpectrum, to: HalfSpectrum): void {
  to.re.set(from.re);
  to.im.set(from.im);
}

/** The sound played lately, longer than a filter, for the case that it was heard at another time. */
const pastSamples = echoMemorySamples;

/** The sound played lately, block by block, each as the spectrum of a window that ends with it. */
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

  /** The spectrum of the block that was played so many before the newest. */
  spectrumOf(age: number): HalfSpectrum {
    return this.#spectra[(this.#newest + age) % this.#spectra.length] ?? this.#none;
  }

  push(farEnd: Float32Array): void {
    const { length } = this.#spectra;
    shiftIn(this.#past, farEnd);
    shiftIn(this.#window, farEnd);
    this.#newest = (this.#newest + length - 1) % length;
    this.#fft.forward(this.#window, this.spectrumOf(0));
  }

  /** The played sound was heard so many samples later, or sooner. */
  delay(samples: number): void {
    const later = Math.round(samples);
    const moved = new Float32Array(pastSamples);
    if (later >= 0) moved.set(this.#past.subarray(0, pastSamples - later), later);
    else moved.set(this.#past.subarray(-later));
    this.remember(moved);
  }

  /** This is what was played until now, and not what it was told. */
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
