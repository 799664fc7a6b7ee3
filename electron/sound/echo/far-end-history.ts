import { echoBlockSamples, echoMemorySamples } from '../capture/echo-canceller.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import type { HalfSpectrum } from '../dsp/real-fft.ts';

const block = echoBlockSamples;
/** What was played, for who finds that it was heard at another time: more than a filter is long. */
const pastSamples = echoMemorySamples;

/** What was played lately, block by block, each as the spectrum of a window that ends with it. */
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
    this.#past.copyWithin(0, block);
    this.#past.set(farEnd, pastSamples - block);
    this.#window.copyWithin(0, block);
    this.#window.set(farEnd, this.#size - block);
    this.#newest = (this.#newest + length - 1) % length;
    this.#fft.forward(this.#window, this.spectrumOf(0));
  }

  /** What was played was heard so many samples later, or sooner. */
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
