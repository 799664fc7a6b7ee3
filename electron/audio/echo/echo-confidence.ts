import { energyOf } from '../dsp/loudness.ts';
import type { EchoFinding } from './echo-canceller.ts';
import type { SplitBlock } from './echo-suppressor.ts';

const tiny = 1e-9;
/** Power ratio of a filter that works: 8 dB. */
const workingRatio = 6;
const proofSmoothing = 0.9;
/** Required share of echo in the captured sound, for that. */
const echoShare = 0.25;
/** Blocks for which the filter must have worked; a single vowel is learned in a tenth of that. */
const maxProof = 40;
/** Below this trust, the proof shrinks. */
const doubtfulTrust = 0.3;
const doubtStep = 6;
/** Share of the expected echo below which playback has stopped, and continues at another time. */
const stoppedShare = 0.05;
/** Applies if the expected echo is at least this share of its recent level. */
const recentShare = 0.1;
const loudestFading = 0.9;

/** Bins per band: 250 Hz. */
const bandBins = 8;
const bands = 30;
/** A block counts for some 30 ms, so that a changed echo is detected before it is heard. */
const bandSmoothing = 0.7;
/** Minimum share of expected echo for a band to count. */
const minEchoShare = 0.15;
/** Minimum number of such bands, weighted by loudness. */
const minBands = 2;
/** Weighting of a band by its share of echo: full echo counts more than twice as much as half. */
const sharpness = 1.2;
/** Weight of the previous estimate, in bands with half echo. */
const priorWeight = 18;

/** Deviation from the expected echo up to which trust is full. */
const fullTrustDeviation = 0.35;
/** Deviation at which trust is zero. */
const zeroTrustDeviation = 0.7;
/** Trust is lost immediately and regained within this many blocks. */
const earnedIn = 12;
/** Blocks of silence after which trust is capped. */
const silentTooLong = 30;
/** The cap of trust after that. */
const afterSilence = 0.5;

/**
 * Estimates whether the echo matches the filter's expectation in time and path. It compares their correlation
 * in bands rather than the residual level, because speech over the answer adds residual but leaves the
 * correlation.
 */
export class EchoConfidence {
  readonly #bandInPhase = new Float32Array(bands);
  /** The quadrature part of the correlation. */
  readonly #bandQuadrature = new Float32Array(bands);
  readonly #expected = new Float32Array(bands);
  readonly #captured = new Float32Array(bands);
  #inPhase = 0;
  #quadrature = 0;
  #trust = 0;
  #silent = 0;
  #proof = 0;
  #before = 0;
  #after = 0;
  #loudest = 0;

  /** From 0, where anything may be echo, to 1, where the expected echo matches. */
  get trust(): number {
    return this.#trust;
  }

  /** True if the filter has worked long enough for its path to be worth keeping. */
  get hasWorked(): boolean {
    return this.#proof === maxProof;
  }

  /** The expected delay has changed: discards the previous measurements. */
  moved(): void {
    for (const memory of [this.#bandInPhase, this.#bandQuadrature, this.#expected, this.#captured])
      memory.fill(0);
    this.#inPhase = 0;
    this.#quadrature = 0;
    this.#trust = 0;
  }

  confirmed(): void {
    this.#inPhase = 1;
    this.#quadrature = 0;
  }

  forget(): void {
    this.#proof = 0;
    this.moved();
  }

  /** Updates with a block split by the current and by the proven path, because a wrong path soon seems right. */
  follow({ left, expected }: SplitBlock, proven: SplitBlock): void {
    let captured = 0;
    let echo = 0;
    let residual = 0;
    for (let bin = 0; bin < left.re.length; bin += 1) {
      const re = left.re[bin] ?? 0;
      const im = left.im[bin] ?? 0;
      const echoRe = expected.re[bin] ?? 0;
      const echoIm = expected.im[bin] ?? 0;
      const capturedRe = re + echoRe;
      const capturedIm = im + echoIm;
      captured += capturedRe * capturedRe + capturedIm * capturedIm;
      echo += echoRe * echoRe + echoIm * echoIm;
      residual += re * re + im * im;
    }
    this.#compare(proven);
    this.#loudest = Math.max(echo, loudestFading * this.#loudest);
    if (captured < stoppedShare * echo && echo > recentShare * this.#loudest) this.moved();
    this.#before = proofSmoothing * this.#before + (1 - proofSmoothing) * captured;
    this.#after = proofSmoothing * this.#after + (1 - proofSmoothing) * residual;
    if (this.hasWorked) return;
    if (this.#trust < doubtfulTrust) this.#proof = Math.max(0, this.#proof - doubtStep);
    else if (this.#before > workingRatio * this.#after + tiny && echo > echoShare * captured)
      this.#proof = Math.min(maxProof, this.#proof + 1);
  }

  #compare(split: SplitBlock): void {
    let inPhase = 0;
    let quadrature = 0;
    let totalWeight = 0;
    let loudness = tiny;
    for (let band = 0; band < bands; band += 1) {
      this.#gather(band, split);
      const captured = (this.#captured[band] ?? 0) + tiny;
      const share = (this.#expected[band] ?? 0) / captured;
      const weight = Math.sqrt(captured);
      loudness += weight;
      if (share < minEchoShare) continue;
      // Almost pure echo counts most. An expectation above the captured level is wrong, so its share is limited
      // to 1.
      const limitedShare = Math.min(1, share);
      const bandWeight = (weight * limitedShare * (sharpness - 0.5)) / (sharpness - limitedShare);
      inPhase += (bandWeight * (this.#bandInPhase[band] ?? 0)) / (this.#expected[band] ?? 1);
      quadrature += (bandWeight * (this.#bandQuadrature[band] ?? 0)) / (this.#expected[band] ?? 1);
      totalWeight += bandWeight;
    }
    inPhase *= bands / loudness;
    quadrature *= bands / loudness;
    totalWeight *= bands / loudness;
    // With few bands, the previous estimate dominates.
    this.#inPhase = (this.#inPhase * priorWeight + inPhase) / (priorWeight + totalWeight);
    this.#quadrature = (this.#quadrature * priorWeight + quadrature) / (priorWeight + totalWeight);
    this.#judge(totalWeight);
  }

  #judge(totalWeight: number): void {
    this.#silent = totalWeight < minBands ? this.#silent + 1 : 0;
    if (this.#silent === silentTooLong) this.#trust = Math.min(this.#trust, afterSilence);
    if (totalWeight < minBands) return;
    const deviation = Math.hypot(1 - this.#inPhase, this.#quadrature);
    const blockTrust = Math.max(
      0,
      Math.min(1, (zeroTrustDeviation - deviation) / (zeroTrustDeviation - fullTrustDeviation)),
    );
    this.#trust = Math.min(blockTrust, this.#trust + 1 / earnedIn);
  }

  #gather(band: number, { left, expected }: SplitBlock): void {
    let inPhase = 0;
    let quadrature = 0;
    let echo = 0;
    let captured = 0;
    const from = 1 + band * bandBins;
    for (let bin = from; bin < from + bandBins; bin += 1) {
      const echoRe = expected.re[bin] ?? 0;
      const echoIm = expected.im[bin] ?? 0;
      const re = (left.re[bin] ?? 0) + echoRe;
      const im = (left.im[bin] ?? 0) + echoIm;
      inPhase += re * echoRe + im * echoIm;
      quadrature += im * echoRe - re * echoIm;
      echo += echoRe * echoRe + echoIm * echoIm;
      captured += re * re + im * im;
    }
    smooth(this.#bandInPhase, band, inPhase);
    smooth(this.#bandQuadrature, band, quadrature);
    smooth(this.#expected, band, echo);
    smooth(this.#captured, band, captured);
  }
}

function smooth(averages: Float32Array, band: number, value: number): void {
  const previous = averages[band] ?? 0;
  averages[band] = previous + (1 - bandSmoothing) * (value - previous);
}

/** Blocks per window: 200 ms. */
const windowBlocks = 20;
/** Minimum number of blocks with playback for a window to count. */
const playedBlocks = 10;
/** Windows without echo until the finding is `none`: four seconds of an answer. */
const enoughWindows = 20;
/** Power ratio of a filter that has found an echo: 1 dB. */
const found = 1.26;
const bestFading = 0.97;

/** Smoothing of the filter's performance over some 60 ms. */
const powerSmoothing = 0.8;
/** Residual share of a filter that works well: −10 dB. */
const goodResidualShare = 0.1;
const audible = 1e-6;
/** Blocks with playback after which a path that never worked again belongs to another room. */
const unprovenAfter = 200;

/**
 * Measures how much the filter removes. That decides whether there is any echo: with headphones there is none,
 * and the suppressor must not remove speech. It also decides whether the learned path is worth keeping.
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

  get isProven(): boolean {
    return this.#sinceProven < unprovenAfter;
  }

  forgetPath(): void {
    this.#sinceProven = Infinity;
  }

  /** Starts a new room; only the recent levels stay. */
  forget(): void {
    this.forgetPath();
    this.#windows = 0;
    this.#best = 0;
    this.#beginWindow();
  }

  /** Takes a captured block and the filter's residual; returns whether the filter works well. */
  follow(frame: Float32Array, rest: Float32Array, isPlayed: boolean): boolean {
    const captured = energyOf(frame);
    const left = energyOf(rest);
    this.#count(captured, left, isPlayed);
    this.#capturedLately = smoothed(this.#capturedLately, captured, frame.length);
    this.#leftLately = smoothed(this.#leftLately, left, rest.length);
    const isAudible = this.#capturedLately > audible;
    const isGood = isAudible && this.#leftLately < goodResidualShare * this.#capturedLately;
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
