/** Spectrum of a real signal: `size / 2 + 1` bins. */
export interface HalfSpectrum {
  readonly re: Float32Array;
  readonly im: Float32Array;
}

export function emptyHalfSpectrum(size: number): HalfSpectrum {
  const bins = size / 2 + 1;
  return { re: new Float32Array(bins), im: new Float32Array(bins) };
}

/** The FFT of real signals of one power-of-two size: half the work of a complex one, without allocation. */
export class RealFft {
  readonly #half: number;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #order: Uint32Array;
  readonly #re: Float64Array;
  readonly #im: Float64Array;

  constructor(size: number) {
    const half = size / 2;
    this.#half = half;
    this.#cos = Float64Array.from({ length: half }, (_, n) => Math.cos((2 * Math.PI * n) / size));
    this.#sin = Float64Array.from({ length: half }, (_, n) => Math.sin((2 * Math.PI * n) / size));
    this.#order = Uint32Array.from({ length: half }, (_, n) => reverseBits(n, half));
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
      // Stores the conjugate, so that the forward transform computes the inverse.
      zr[to] = (ar + br) / 2 - dr * s - di * c;
      zi[to] = -((ai - bi) / 2 + dr * c - di * s);
    }
    this.#transform();
    for (let n = 0; n < half; n += 1) {
      signal[2 * n] = (zr[n] ?? 0) / half;
      signal[2 * n + 1] = -(zi[n] ?? 0) / half;
    }
  }

  /** Radix-4: computing two stages at once saves a quarter of the multiplications and half of the memory accesses. */
  #transform(): void {
    const half = this.#half;
    this.#firstStages();
    let span = 4;
    for (; 2 * span < half; span *= 4) this.#twoStages(span);
    if (span < half) this.#lastStage();
  }

  #firstStages(): void {
    const half = this.#half;
    const zr = this.#re;
    const zi = this.#im;
    for (let a = 0; a < half; a += 4) {
      const upRe = (zr[a] ?? 0) + (zr[a + 1] ?? 0);
      const upIm = (zi[a] ?? 0) + (zi[a + 1] ?? 0);
      const downRe = (zr[a] ?? 0) - (zr[a + 1] ?? 0);
      const downIm = (zi[a] ?? 0) - (zi[a + 1] ?? 0);
      const otherUpRe = (zr[a + 2] ?? 0) + (zr[a + 3] ?? 0);
      const otherUpIm = (zi[a + 2] ?? 0) + (zi[a + 3] ?? 0);
      const otherDownRe = (zr[a + 2] ?? 0) - (zr[a + 3] ?? 0);
      const otherDownIm = (zi[a + 2] ?? 0) - (zi[a + 3] ?? 0);
      zr[a] = upRe + otherUpRe;
      zi[a] = upIm + otherUpIm;
      zr[a + 1] = downRe + otherDownIm;
      zi[a + 1] = downIm - otherDownRe;
      zr[a + 2] = upRe - otherUpRe;
      zi[a + 2] = upIm - otherUpIm;
      zr[a + 3] = downRe - otherDownIm;
      zi[a + 3] = downIm + otherDownRe;
    }
  }

  #twoStages(span: number): void {
    const half = this.#half;
    const zr = this.#re;
    const zi = this.#im;
    const stride = half / span;
    for (let twiddle = 0; twiddle < span; twiddle += 1) {
      const c1 = this.#cos[twiddle * stride] ?? 0;
      const s1 = this.#sin[twiddle * stride] ?? 0;
      const c2 = this.#cos[(twiddle * stride) / 2] ?? 0;
      const s2 = this.#sin[(twiddle * stride) / 2] ?? 0;
      for (let a = twiddle; a < half; a += 4 * span) {
        const b = a + span;
        const c = b + span;
        const d = c + span;
        const br = (zr[b] ?? 0) * c1 + (zi[b] ?? 0) * s1;
        const bi = (zi[b] ?? 0) * c1 - (zr[b] ?? 0) * s1;
        const dr = (zr[d] ?? 0) * c1 + (zi[d] ?? 0) * s1;
        const di = (zi[d] ?? 0) * c1 - (zr[d] ?? 0) * s1;
        const upRe = (zr[a] ?? 0) + br;
        const upIm = (zi[a] ?? 0) + bi;
        const downRe = (zr[a] ?? 0) - br;
        const downIm = (zi[a] ?? 0) - bi;
        const otherRe = (zr[c] ?? 0) + dr;
        const otherIm = (zi[c] ?? 0) + di;
        const lowRe = (zr[c] ?? 0) - dr;
        const lowIm = (zi[c] ?? 0) - di;
        const er = otherRe * c2 + otherIm * s2;
        const ei = otherIm * c2 - otherRe * s2;
        const fr = lowRe * c2 + lowIm * s2;
        const fi = lowIm * c2 - lowRe * s2;
        zr[a] = upRe + er;
        zi[a] = upIm + ei;
        zr[b] = downRe + fi;
        zi[b] = downIm - fr;
        zr[c] = upRe - er;
        zi[c] = upIm - ei;
        zr[d] = downRe - fi;
        zi[d] = downIm + fr;
      }
    }
  }

  #lastStage(): void {
    const span = this.#half / 2;
    const zr = this.#re;
    const zi = this.#im;
    for (let low = 0; low < span; low += 1) {
      const high = low + span;
      const c = this.#cos[2 * low] ?? 0;
      const s = this.#sin[2 * low] ?? 0;
      const tr = (zr[high] ?? 0) * c + (zi[high] ?? 0) * s;
      const ti = (zi[high] ?? 0) * c - (zr[high] ?? 0) * s;
      zr[high] = (zr[low] ?? 0) - tr;
      zi[high] = (zi[low] ?? 0) - ti;
      zr[low] = (zr[low] ?? 0) + tr;
      zi[low] = (zi[low] ?? 0) + ti;
    }
  }
}

function reverseBits(index: number, count: number): number {
  let reversed = 0;
  for (let bit = 1; bit < count; bit *= 2) reversed = reversed * 2 + (Math.floor(index / bit) % 2);
  return reversed;
}

export function powerSpectrum({ re, im }: HalfSpectrum, into: Float32Array): void {
  for (let bin = 0; bin < into.length; bin += 1) {
    const real = re[bin] ?? 0;
    const imaginary = im[bin] ?? 0;
    into[bin] = real * real + imaginary * imaginary;
  }
}
