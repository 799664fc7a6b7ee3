/** Complex numbers side by side; as many as a power of two. */
export interface Spectrum {
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
}

export function emptySpectrum(size: number): Spectrum {
  return { real: new Float64Array(size), imaginary: new Float64Array(size) };
}

/** The discrete Fourier transform, in place. */
export function fft({ real, imaginary }: Spectrum): void {
  const size = real.length;
  reorder(real, imaginary);
  for (let half = 1; half < size; half *= 2) {
    const step = -Math.PI / half;
    for (let turn = 0; turn < half; turn += 1) {
      const cosine = Math.cos(step * turn);
      const sine = Math.sin(step * turn);
      for (let low = turn; low < size; low += 2 * half) {
        const high = low + half;
        const re = real[high] ?? 0;
        const im = imaginary[high] ?? 0;
        const turnedRe = re * cosine - im * sine;
        const turnedIm = re * sine + im * cosine;
        const lowRe = real[low] ?? 0;
        const lowIm = imaginary[low] ?? 0;
        real[high] = lowRe - turnedRe;
        imaginary[high] = lowIm - turnedIm;
        real[low] = lowRe + turnedRe;
        imaginary[low] = lowIm + turnedIm;
      }
    }
  }
}

/** The way back, in place: with the two parts changing places it is the same transform, scaled. */
export function inverseFft({ real, imaginary }: Spectrum): void {
  fft({ real: imaginary, imaginary: real });
  const scale = 1 / real.length;
  for (let n = 0; n < real.length; n += 1) {
    real[n] = (real[n] ?? 0) * scale;
    imaginary[n] = (imaginary[n] ?? 0) * scale;
  }
}

/** Puts each number where its index points, read from the other end. */
function reorder(real: Float64Array, imaginary: Float64Array): void {
  for (let n = 1, other = 0; n < real.length; n += 1) {
    let bit = real.length >> 1;
    for (; (other & bit) !== 0; bit >>= 1) other ^= bit;
    other ^= bit;
    if (n >= other) continue;
    swap(real, n, other);
    swap(imaginary, n, other);
  }
}

function swap(numbers: Float64Array, one: number, other: number): void {
  const swapped = numbers[one] ?? 0;
  numbers[one] = numbers[other] ?? 0;
  numbers[other] = swapped;
}
