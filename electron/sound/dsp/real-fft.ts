/** The first half of a real signal's spectrum: as many bins as half the size, and one. */
export interface HalfSpectrum {
  readonly re: Float32Array;
  readonly im: Float32Array;
}

export function emptyHalfSpectrum(size: number): HalfSpectrum {
  const bins = size / 2 + 1;
  return { re: new Float32Array(bins), im: new Float32Array(bins) };
}

/**
 * The transform of real signals of one size, a power of two, for who needs it a thousand times a second:
 * half the work of the complex one, with its tables made once and no memory taken later.
 */
export class RealFft {
  readonly #half: number;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #order: Uint16Array;
  readonly #re: Float64Array;
  readonly #im: Float64Array;

  constructor(size: number) {
    const half = size / 2;
    this.#half = half;
    this.#cos = Float64Array.from({ length: half }, (_, n) => Math.cos((2 * Math.PI * n) / size));
    this.#sin = Float64Array.from({ length: half }, (_, n) => Math.sin((2 * Math.PI * n) / size));
    this.#order = Uint16Array.from({ length: half }, (_, n) => mirrored(n, half));
    this.#re = new Float64Array(half);
    this.#im = new Float64Array(half);
  }

  forward(signal: Float32Array, { re, im }: HalfSpectrum): void {
    const half = this.#half;
    const zr = this.#re;
    const zi = this.#im;
    const cos = this.#cos;
    const sin = this.#sin;
    for (let n = 0; n < half; n += 1) {
      const to = this.#order[n] ?? 0;
      zr[to] = signal[2 * n] ?? 0;
      zi[to] = signal[2 * n + 1] ?? 0;
    }
    this.#transform();
    re[0] = (zr[0] ?? 0) + (zi[0] ?? 0);
    im[0] = 0;
    re[half] = (zr[0] ?? 0) - (zi[0] ?? 0);
    im[half] = 0;
    for (let k = 1; k < half; k += 1) {
      const ar = zr[k] ?? 0;
      const ai = zi[k] ?? 0;
      const br = zr[half - k] ?? 0;
      const bi = zi[half - k] ?? 0;
      const oddRe = (ai + bi) / 2;
      const oddIm = (br - ar) / 2;
      const c = cos[k] ?? 0;
      const s = sin[k] ?? 0;
      re[k] = (ar + br) / 2 + oddRe * c + oddIm * s;
      im[k] = (ai - bi) / 2 - oddRe * s + oddIm * c;
    }
  }

  inverse({ re, im }: HalfSpectrum, signal: Float32Array): void {
    const half = this.#half;
    const zr = this.#re;
    const zi = this.#im;
    const cos = this.#cos;
    const sin = this.#sin;
    for (let k = 0; k < half; k += 1) {
      const ar = re[k] ?? 0;
      const ai = im[k] ?? 0;
      const br = re[half - k] ?? 0;
      const bi = im[half - k] ?? 0;
      const dr = (ar - br) / 2;
      const di = (ai + bi) / 2;
      const c = cos[k] ?? 0;
      const s = sin[k] ?? 0;
      const to = this.#order[k] ?? 0;
      // The conjugate, so that the way forth is also the way back.
      zr[to] = (ar + br) / 2 - dr * s - di * c;
      zi[to] = -((ai - bi) / 2 + dr * c - di * s);
    }
    this.#transform();
    for (let n = 0; n < half; n += 1) {
      signal[2 * n] = (zr[n] ?? 0) / half;
      signal[2 * n + 1] = -(zi[n] ?? 0) / half;
    }
  }

  #transform(): void {
    const half = this.#half;
    const zr = this.#re;
    const zi = this.#im;
    const cos = this.#cos;
    const sin = this.#sin;
    for (let span = 1; span < half; span *= 2) {
      const stride = half / span;
      for (let from = 0; from < half; from += 2 * span) {
        for (let turn = 0, at = 0; turn < span; turn += 1, at += stride) {
          const low = from + turn;
          const high = low + span;
          const c = cos[at] ?? 0;
          const s = sin[at] ?? 0;
          const hr = zr[high] ?? 0;
          const hi = zi[high] ?? 0;
          const tr = hr * c + hi * s;
          const ti = hi * c - hr * s;
          const lr = zr[low] ?? 0;
          const li = zi[low] ?? 0;
          zr[high] = lr - tr;
          zi[high] = li - ti;
          zr[low] = lr + tr;
          zi[low] = li + ti;
        }
      }
    }
  }
}

/** The number with its bits read from the other end. */
function mirrored(number: number, count: number): number {
  let mirror = 0;
  for (let bit = 1; bit < count; bit *= 2) mirror = mirror * 2 + (Math.floor(number / bit) % 2);
  return mirror;
}
