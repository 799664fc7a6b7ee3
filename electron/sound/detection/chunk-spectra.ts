import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';

/** The network hears 32 ms at a time. */
export const chunkSamples = 512;
/** With the 4 ms before them, and their last 4 ms mirrored after them, so that four windows fit. */
const around = 64;
const windowSamples = 256;
const hop = 128;
export const chunkFrames = 4;
/** What is above 7 kHz is not looked at. */
export const spectrumBins = 113;

/** The four spectra of a chunk. */
export class ChunkSpectra {
  /** A row of zeros, four of magnitudes, and a row of zeros. */
  readonly rows = new Float32Array((chunkFrames + 2) * spectrumBins);
  readonly #fft = new RealFft(windowSamples);
  readonly #shape = Float32Array.from(
    { length: windowSamples },
    (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / windowSamples),
  );
  readonly #heard = new Float32Array(chunkSamples + 2 * around);
  readonly #work = new Float32Array(windowSamples);
  readonly #spectrum = emptyHalfSpectrum(windowSamples);

  push(chunk: Float32Array): void {
    const heard = this.#heard;
    heard.copyWithin(0, chunkSamples, chunkSamples + around);
    heard.set(chunk, around);
    const end = around + chunkSamples;
    for (let n = 0; n < around; n += 1) heard[end + n] = heard[end - 2 - n] ?? 0;
    for (let frame = 0; frame < chunkFrames; frame += 1) this.#transform(frame);
  }

  reset(): void {
    this.#heard.fill(0);
  }

  #transform(frame: number): void {
    const { re, im } = this.#spectrum;
    for (let n = 0; n < windowSamples; n += 1)
      this.#work[n] = (this.#heard[frame * hop + n] ?? 0) * (this.#shape[n] ?? 0);
    this.#fft.forward(this.#work, this.#spectrum);
    const row = (frame + 1) * spectrumBins;
    for (let bin = 0; bin < spectrumBins; bin += 1) {
      const real = re[bin] ?? 0;
      const imaginary = im[bin] ?? 0;
      this.rows[row + bin] = Math.sqrt(real * real + imaginary * imaginary);
    }
  }
}
