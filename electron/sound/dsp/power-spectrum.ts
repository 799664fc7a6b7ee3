import type { HalfSpectrum } from './real-fft.ts';

/** The power of each bin, as many as there is room for. */
export function powerSpectrum({ re, im }: HalfSpectrum, into: Float32Array): void {
  for (let bin = 0; bin < into.length; bin += 1) {
    const real = re[bin] ?? 0;
    const imaginary = im[bin] ?? 0;
    into[bin] = real * real + imaginary * imaginary;
  }
}
