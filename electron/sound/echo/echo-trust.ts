import type { HalfSpectrum } from '../dsp/real-fft.ts';

/** Bins that are judged together: 250 Hz. */
const bandBins = 8;
const bands = 30;
/** What was heard counts for some 30 ms: an echo that is no longer the expected one must be seen before it is heard. */
const smoothing = 0.7;
/** A band tells something where so much of what is captured is expected… */
const telling = 0.15;
/** …and so many, by how loud they are, must. */
const fewest = 2;
/** Where all that is captured is expected it tells so much more than where half is. */
const sharpness = 1.2;
/** As much weighs what was found before as so many bands of which half is expected. */
const held = 18;

/** How far what comes back may be off what is expected: up to here it is trusted… */
const near = 0.35;
/** …and from here on not at all. */
const far = 0.7;
/** It is lost at once and earned within so many blocks. */
const earnedIn = 12;
/** After so many blocks of silence it has to be shown anew… */
const staleAfter = 30;
/** …by half. */
const stale = 0.5;
const tiny = 1e-9;

/**
 * Whether the echo that a filter expects is the one that comes. By what of both is alike, band by band, and not by how
 * much is left: who talks over the answer leaves much and changes nothing of the echo.
 */
export class EchoTrust {
  readonly #alike = new Float32Array(bands);
  /** What is of the same sound a quarter of a wave later. */
  readonly #turned = new Float32Array(bands);
  readonly #expected = new Float32Array(bands);
  readonly #captured = new Float32Array(bands);
  #found = 0;
  #askew = 0;
  #trust = 0;
  #silent = 0;

  /** From 0, anything may be echo, to 1. */
  get value(): number {
    return this.#trust;
  }

  get #off(): number {
    return Math.hypot(1 - this.#found, this.#askew);
  }

  /** What was found is of another time, or another room. */
  lose(): void {
    for (const memory of [this.#alike, this.#turned, this.#expected, this.#captured])
      memory.fill(0);
    this.#found = 0;
    this.#askew = 0;
    this.#trust = 0;
  }

  confirm(): void {
    this.#found = 1;
    this.#askew = 0;
  }

  /** What is left of a block, and the echo that was taken out of it. */
  follow(left: HalfSpectrum, expected: HalfSpectrum): void {
    let alike = 0;
    let turned = 0;
    let whole = 0;
    let loudness = tiny;
    for (let band = 0; band < bands; band += 1) {
      this.#gather(band, left, expected);
      const captured = (this.#captured[band] ?? 0) + tiny;
      const share = (this.#expected[band] ?? 0) / captured;
      const weight = Math.sqrt(captured);
      loudness += weight;
      if (share < telling) continue;
      // Where there is little else it tells most; what stands above all that is captured is wrong, and tells no more.
      const most = Math.min(1, share);
      const told = (weight * most * (sharpness - 0.5)) / (sharpness - most);
      alike += (told * (this.#alike[band] ?? 0)) / (this.#expected[band] ?? 1);
      turned += (told * (this.#turned[band] ?? 0)) / (this.#expected[band] ?? 1);
      whole += told;
    }
    alike *= bands / loudness;
    turned *= bands / loudness;
    whole *= bands / loudness;
    // Where few bands tell, what was found before goes on.
    this.#found = (this.#found * held + alike) / (held + whole);
    this.#askew = (this.#askew * held + turned) / (held + whole);
    this.#judge(whole);
  }

  #judge(whole: number): void {
    this.#silent = whole < fewest ? this.#silent + 1 : 0;
    if (this.#silent === staleAfter) this.#trust = Math.min(this.#trust, stale);
    if (whole < fewest) return;
    const now = Math.max(0, Math.min(1, (far - this.#off) / (far - near)));
    this.#trust = Math.min(now, this.#trust + 1 / earnedIn);
  }

  #gather(band: number, left: HalfSpectrum, expected: HalfSpectrum): void {
    let alike = 0;
    let turned = 0;
    let echo = 0;
    let captured = 0;
    const from = 1 + band * bandBins;
    for (let bin = from; bin < from + bandBins; bin += 1) {
      const echoRe = expected.re[bin] ?? 0;
      const echoIm = expected.im[bin] ?? 0;
      const re = (left.re[bin] ?? 0) + echoRe;
      const im = (left.im[bin] ?? 0) + echoIm;
      alike += re * echoRe + im * echoIm;
      turned += im * echoRe - re * echoIm;
      echo += echoRe * echoRe + echoIm * echoIm;
      captured += re * re + im * im;
    }
    smooth(this.#alike, band, alike);
    smooth(this.#turned, band, turned);
    smooth(this.#expected, band, echo);
    smooth(this.#captured, band, captured);
  }
}

function smooth(memory: Float32Array, band: number, now: number): void {
  const before = memory[band] ?? 0;
  memory[band] = before + (1 - smoothing) * (now - before);
}
