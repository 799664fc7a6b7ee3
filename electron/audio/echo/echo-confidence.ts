// Judges how well the filter of `AdaptiveCanceller` works (decision 39): whether its path is proven, and how far to trust it now.
import { energyOf } from '../dsp/loudness.ts';
import type { EchoFinding } from './echo-canceller.ts';
import type { SplitBlock } from './echo-suppressor.ts';

const tiny = 1e-9;
/** A filter works if it lowers the power by this ratio: 8 dB. */
const workingRatio = 6;
const proofSmoothing = 0.9;
/** A block counts as proof only if at least this share of the captured sound is echo. */
const echoShare = 0.25;
/**
 * The filter's path is proven once it has worked for this many blocks. Few blocks prove little, because the filter adapts to
 * a single vowel in a tenth of that time.
 */
const provenBlocks = 40;
/** While trust is below this, each block lowers the count of proven blocks by `doubtStep`. */
const doubtfulTrust = 0.3;
const doubtStep = 6;
/**
 * If the captured sound falls below this share of the expected echo, playback has stopped and will continue at another
 * delay.
 */
const stoppedShare = 0.05;
/** `stoppedShare` applies only while the expected echo has at least this share of its recent peak. */
const recentShare = 0.1;
const peakDecay = 0.9;

/** Bins per band: 250 Hz. */
const bandBins = 8;
const bands = 30;
/** Averages over some 30 ms, so that a changed echo is detected before much of it passes. */
const bandSmoothing = 0.7;
/** Minimum share of expected echo for a band to count. */
const minEchoShare = 0.15;
/** Minimum sum of the bands' weights for a block to count. */
const minBands = 2;
/** Weighting of a band by its share of echo: full echo counts seven times as much as half. */
const sharpness = 1.2;
/** Weight of the previous estimate. A band of full echo and average loudness has a weight of 3.5. */
const priorWeight = 18;

/** Deviation from the expected echo up to which trust is full. */
const fullTrustDeviation = 0.35;
const zeroTrustDeviation = 0.7;
/** Trust is lost immediately and regained within this many blocks. */
const recoveryBlocks = 12;
/** After this many blocks without echo, trust is limited to `trustAfterSilence`. */
const maxSilentBlocks = 30;
const trustAfterSilence = 0.5;

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
  #silentBlocks = 0;
  #provenCount = 0;
  #capturedPower = 0;
  #residualPower = 0;
  #peakEcho = 0;

  /** From 0, where anything may be echo, to 1, where the expected echo matches. */
  get trust(): number {
    return this.#trust;
  }

  /** True if the filter has worked for so long that its path is worth keeping. */
  get hasWorked(): boolean {
    return this.#provenCount === provenBlocks;
  }

  /** Discards the measurements, because the expected delay has changed. */
  restart(): void {
    for (const history of [this.#bandInPhase, this.#bandQuadrature, this.#expected, this.#captured])
      history.fill(0);
    this.#inPhase = 0;
    this.#quadrature = 0;
    this.#trust = 0;
  }

  /** Assumes that the echo matches, because its measured delay does. Trust then recovers block by block. */
  confirm(): void {
    this.#inPhase = 1;
    this.#quadrature = 0;
  }

  forget(): void {
    this.#provenCount = 0;
    this.restart();
  }

  /**
   * Takes a block, split by the current path and by the proven one. The proven path decides, because the current one
   * soon adapts to a wrong delay.
   */
  follow({ residual, expected }: SplitBlock, proven: SplitBlock): void {
    let captured = 0;
    let echo = 0;
    let residualEnergy = 0;
    for (let bin = 0; bin < residual.re.length; bin += 1) {
      const re = residual.re[bin] ?? 0;
      const im = residual.im[bin] ?? 0;
      const echoRe = expected.re[bin] ?? 0;
      const echoIm = expected.im[bin] ?? 0;
      const capturedRe = re + echoRe;
      const capturedIm = im + echoIm;
      captured += capturedRe * capturedRe + capturedIm * capturedIm;
      echo += echoRe * echoRe + echoIm * echoIm;
      residualEnergy += re * re + im * im;
    }
    this.#compare(proven);
    this.#peakEcho = Math.max(echo, peakDecay * this.#peakEcho);
    if (captured < stoppedShare * echo && echo > recentShare * this.#peakEcho) this.restart();
    this.#capturedPower = proofSmoothing * this.#capturedPower + (1 - proofSmoothing) * captured;
    this.#residualPower =
      proofSmoothing * this.#residualPower + (1 - proofSmoothing) * residualEnergy;
    if (this.hasWorked) return;
    if (this.#trust < doubtfulTrust) this.#provenCount = Math.max(0, this.#provenCount - doubtStep);
    else if (
      this.#capturedPower > workingRatio * this.#residualPower + tiny &&
      echo > echoShare * captured
    )
      this.#provenCount = Math.min(provenBlocks, this.#provenCount + 1);
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
      // Almost pure echo counts most. More echo than captured sound is impossible, so the share is limited to 1.
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
    this.#silentBlocks = totalWeight < minBands ? this.#silentBlocks + 1 : 0;
    if (this.#silentBlocks === maxSilentBlocks)
      this.#trust = Math.min(this.#trust, trustAfterSilence);
    if (totalWeight < minBands) return;
    const deviation = Math.hypot(1 - this.#inPhase, this.#quadrature);
    const blockTrust = Math.max(
      0,
      Math.min(1, (zeroTrustDeviation - deviation) / (zeroTrustDeviation - fullTrustDeviation)),
    );
    this.#trust = Math.min(blockTrust, this.#trust + 1 / recoveryBlocks);
  }

  #gather(band: number, { residual, expected }: SplitBlock): void {
    let inPhase = 0;
    let quadrature = 0;
    let echo = 0;
    let captured = 0;
    const from = 1 + band * bandBins;
    for (let bin = from; bin < from + bandBins; bin += 1) {
      const echoRe = expected.re[bin] ?? 0;
      const echoIm = expected.im[bin] ?? 0;
      const re = (residual.re[bin] ?? 0) + echoRe;
      const im = (residual.im[bin] ?? 0) + echoIm;
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

/** Blocks per measurement window: 200 ms. */
const windowBlocks = 20;
/** Minimum number of blocks with playback for a window to count. */
const minPlayedBlocks = 10;
/** Windows without echo until the finding is `none`: 4 s of an answer. */
const minWindows = 20;
/** The filter has found an echo if it lowers the power by this ratio: 1 dB. */
const foundRatio = 1.26;
const ratioDecay = 0.97;

/** Smoothing of the filter's performance over some 50 ms. */
const powerSmoothing = 0.8;
/** Residual share of a filter that works well: −10 dB. */
const goodResidualShare = 0.1;
const audible = 1e-6;
/** A path that has not worked for this many audible blocks belongs to another room. */
const maxUnprovenBlocks = 200;

/**
 * Measures how much the filter removes. That decides whether there is any echo: with headphones there is none,
 * and the suppressor must not remove speech. It also decides whether the learned path is worth keeping.
 */
export class EchoEvidence {
  #blocks = 0;
  #playedBlocks = 0;
  #captured = 0;
  #residual = 0;
  #windows = 0;
  #bestRatio = 0;
  #recentCaptured = 0;
  #recentResidual = 0;
  #blocksSinceProven = Infinity;

  get finding(): EchoFinding {
    if (this.#bestRatio >= foundRatio) return 'heard';
    return this.#windows < minWindows ? 'unknown' : 'none';
  }

  get isProven(): boolean {
    return this.#blocksSinceProven < maxUnprovenBlocks;
  }

  forgetPath(): void {
    this.#blocksSinceProven = Infinity;
  }

  /** Starts a new room; only the recent levels stay. */
  forget(): void {
    this.forgetPath();
    this.#windows = 0;
    this.#bestRatio = 0;
    this.#beginWindow();
  }

  /** Takes a captured block and the filter's residual; returns whether the filter works well. */
  follow(frame: Float32Array, residualBlock: Float32Array, isPlayed: boolean): boolean {
    const captured = energyOf(frame);
    const residual = energyOf(residualBlock);
    this.#count(captured, residual, isPlayed);
    this.#recentCaptured = smoothed(this.#recentCaptured, captured, frame.length);
    this.#recentResidual = smoothed(this.#recentResidual, residual, residualBlock.length);
    const isAudible = this.#recentCaptured > audible;
    const isGood = isAudible && this.#recentResidual < goodResidualShare * this.#recentCaptured;
    if (isGood) this.#blocksSinceProven = 0;
    else if (isAudible) this.#blocksSinceProven += 1;
    return isGood;
  }

  #count(captured: number, residual: number, isPlayed: boolean): void {
    this.#captured += captured;
    this.#residual += residual;
    this.#blocks += 1;
    if (isPlayed) this.#playedBlocks += 1;
    if (this.#blocks < windowBlocks) return;
    if (this.#playedBlocks >= minPlayedBlocks && this.#captured > 0) {
      this.#windows += 1;
      const ratio = this.#captured / (this.#residual + 1e-12);
      this.#bestRatio = Math.max(ratio, 1 + (this.#bestRatio - 1) * ratioDecay);
    }
    this.#beginWindow();
  }

  #beginWindow(): void {
    this.#blocks = 0;
    this.#playedBlocks = 0;
    this.#captured = 0;
    this.#residual = 0;
  }
}

function smoothed(power: number, energy: number, samples: number): number {
  return powerSmoothing * power + ((1 - powerSmoothing) * energy) / samples;
}
