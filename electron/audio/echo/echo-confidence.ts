import { energyOf } from '../dsp/loudness.ts';
import type { EchoFinding } from './echo-canceller.ts';
import type { SplitBlock } from './echo-suppressor.ts';

const tiny = 1e-9;
/** A filter that takes away so much works: 8 dB… */
const works = 6;
const proofSmoothing = 0.9;
/** …where so much of what is captured is echo. */
const echoShare = 0.25;
/** For so many blocks it must have worked before it is believed: one vowel is learned in a tenth of that. */
const enoughProof = 40;
/** Trusted by less than this meanwhile, it has to begin again. */
const doubtful = 0.3;
const doubtStep = 6;
/** An echo of which so little comes has stopped, because what is played has: it goes on at another time… */
const stopped = 0.05;
/** …if it should be about as loud as it was just before. */
const lately = 0.1;
const loudestFading = 0.9;

/** Bins that are judged together: 250 Hz. */
const bandBins = 8;
const bands = 30;
/** A block counts for some 30 ms: an echo that is no longer the expected one must be seen before it is heard. */
const bandSmoothing = 0.7;
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
/** Trust is lost at once and earned within so many blocks. */
const earnedIn = 12;
/** After so many blocks of silence it has to be shown anew… */
const silentTooLong = 30;
/** …by half. */
const afterSilence = 0.5;

/**
 * How sure it is that the echo comes as a filter expects it: at the same time, and by the same path. By what of both is
 * alike, band by band, and not by how much is left: who talks over the answer leaves much and changes nothing of the echo.
 */
export class EchoConfidence {
  readonly #alike = new Float32Array(bands);
  /** The part that is the same sound a quarter of a wave later. */
  readonly #turned = new Float32Array(bands);
  readonly #expected = new Float32Array(bands);
  readonly #captured = new Float32Array(bands);
  #found = 0;
  #askew = 0;
  #trust = 0;
  #silent = 0;
  #proof = 0;
  #before = 0;
  #after = 0;
  #loudest = 0;

  /** Whether the expected echo is the one that comes: from 0, anything may be echo, to 1. */
  get trust(): number {
    return this.#trust;
  }

  /** The filter has worked for long enough that what it learned is worth keeping. */
  get hasWorked(): boolean {
    return this.#proof === enoughProof;
  }

  /** The echo is expected at another time from now on: what was found is of before. */
  moved(): void {
    for (const memory of [this.#alike, this.#turned, this.#expected, this.#captured])
      memory.fill(0);
    this.#found = 0;
    this.#askew = 0;
    this.#trust = 0;
  }

  /** It is known from elsewhere that the echo is the expected one. */
  confirmed(): void {
    this.#found = 1;
    this.#askew = 0;
  }

  /** Forgets the path altogether. */
  forget(): void {
    this.#proof = 0;
    this.moved();
  }

  /**
   * A block as the filter splits it, and as it would by what it had learned while it worked well: what is learned of a wrong
   * time soon looks right.
   */
  follow({ left, expected }: SplitBlock, proven: SplitBlock): void {
    let captured = 0;
    let echo = 0;
    let rest = 0;
    for (let bin = 0; bin < left.re.length; bin += 1) {
      const re = left.re[bin] ?? 0;
      const im = left.im[bin] ?? 0;
      const echoRe = expected.re[bin] ?? 0;
      const echoIm = expected.im[bin] ?? 0;
      const wholeRe = re + echoRe;
      const wholeIm = im + echoIm;
      captured += wholeRe * wholeRe + wholeIm * wholeIm;
      echo += echoRe * echoRe + echoIm * echoIm;
      rest += re * re + im * im;
    }
    this.#compare(proven);
    this.#loudest = Math.max(echo, loudestFading * this.#loudest);
    if (captured < stopped * echo && echo > lately * this.#loudest) this.moved();
    this.#before = proofSmoothing * this.#before + (1 - proofSmoothing) * captured;
    this.#after = proofSmoothing * this.#after + (1 - proofSmoothing) * rest;
    if (this.hasWorked) return;
    if (this.#trust < doubtful) this.#proof = Math.max(0, this.#proof - doubtStep);
    else if (this.#before > works * this.#after + tiny && echo > echoShare * captured)
      this.#proof = Math.min(enoughProof, this.#proof + 1);
  }

  #compare(split: SplitBlock): void {
    let alike = 0;
    let turned = 0;
    let whole = 0;
    let loudness = tiny;
    for (let band = 0; band < bands; band += 1) {
      this.#gather(band, split);
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
    if (this.#silent === silentTooLong) this.#trust = Math.min(this.#trust, afterSilence);
    if (whole < fewest) return;
    const off = Math.hypot(1 - this.#found, this.#askew);
    const now = Math.max(0, Math.min(1, (far - off) / (far - near)));
    this.#trust = Math.min(now, this.#trust + 1 / earnedIn);
  }

  #gather(band: number, { left, expected }: SplitBlock): void {
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
  memory[band] = before + (1 - bandSmoothing) * (now - before);
}

/** Blocks that are judged together: 200 ms. */
const windowBlocks = 20;
/** At least this many of them must have been played into. */
const playedBlocks = 10;
/** After this many windows without any there is no echo: four seconds of an answer. */
const enoughWindows = 20;
/** A filter that takes away so much has found one: 1 dB. */
const found = 1.26;
const bestFading = 0.97;

/** Whether a filter works is judged over some 60 ms: */
const powerSmoothing = 0.8;
/** It works well where it takes away so much: 10 dB. */
const well = 0.1;
/** Softer sound says nothing of it. */
const audible = 1e-6;
/** Not once in so many blocks in which something is played, and what was proven is of another room. */
const unprovenAfter = 200;

/**
 * Judges by how much a filter takes away. Whether there is an echo at all: with headphones a filter takes nothing away, and
 * then nothing may be taken out of who speaks either. And whether the path that it has learned is worth keeping.
 */
export class EchoEvidence {
  #blocks = 0;
  #played = 0;
  #captured = 0;
  #left = 0;
  #windows = 0;
  #best = 0;
  #capturedLately = 0;
  #leftLately = 0;
  #sinceProven = Infinity;

  get finding(): EchoFinding {
    if (this.#best >= found) return 'heard';
    return this.#windows < enoughWindows ? 'unknown' : 'none';
  }

  /** There is a path that has worked. */
  get isProven(): boolean {
    return this.#sinceProven < unprovenAfter;
  }

  /** Another path is learned. */
  forgetPath(): void {
    this.#sinceProven = Infinity;
  }

  /** Another room; only how loud it was just now still counts. */
  forget(): void {
    this.forgetPath();
    this.#windows = 0;
    this.#best = 0;
    this.#beginWindow();
  }

  /** A block as it came, and what the filter left of it; says whether that works well. */
  follow(frame: Float32Array, rest: Float32Array, isPlayed: boolean): boolean {
    const captured = energyOf(frame);
    const left = energyOf(rest);
    this.#count(captured, left, isPlayed);
    this.#capturedLately = smoothed(this.#capturedLately, captured, frame.length);
    this.#leftLately = smoothed(this.#leftLately, left, rest.length);
    const isAudible = this.#capturedLately > audible;
    const isGood = isAudible && this.#leftLately < well * this.#capturedLately;
    if (isGood) this.#sinceProven = 0;
    else if (isAudible) this.#sinceProven += 1;
    return isGood;
  }

  #count(captured: number, left: number, isPlayed: boolean): void {
    this.#captured += captured;
    this.#left += left;
    this.#blocks += 1;
    if (isPlayed) this.#played += 1;
    if (this.#blocks < windowBlocks) return;
    if (this.#played >= playedBlocks && this.#captured > 0) {
      this.#windows += 1;
      const taken = this.#captured / (this.#left + 1e-12);
      this.#best = Math.max(taken, 1 + (this.#best - 1) * bestFading);
    }
    this.#beginWindow();
  }

  #beginWindow(): void {
    this.#blocks = 0;
    this.#played = 0;
    this.#captured = 0;
    this.#left = 0;
  }
}

function smoothed(power: number, energy: number, samples: number): number {
  return powerSmoothing * power + ((1 - powerSmoothing) * energy) / samples;
}
