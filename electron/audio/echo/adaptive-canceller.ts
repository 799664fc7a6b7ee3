import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { echoBlockSamples, type EchoCanceller, type EchoFinding } from './echo-canceller.ts';
import { EchoConfidence, EchoEvidence } from './echo-confidence.ts';
import { EchoDelayEstimator, EchoShiftEstimator } from './echo-delay.ts';
import { EchoFilter } from './echo-filter.ts';
import type { EchoJudge } from './echo-network.ts';
import { EchoSuppressor } from './echo-suppressor.ts';

const initialLeadMs = 20;
/** With a delay above this, echo and reverberation exceed the filter's reach. */
const lateMs = 180;
/** The lead aimed for once the echo is found. */
const marginMs = 40;
/** The far end arrives only some 40 ms ahead. */
const maxLeadMs = 32;
/** Blocks after which the last playback has died away. */
const decayBlocks = 60;
const audible = 1e-4;
const lostBelow = 0.3;
const foundAbove = 0.6;
/** Share of the sound that passes while the echo is lost, because the sound may be echo even if somebody speaks. */
const lostGain = 0.05;
/** Blocks before the first search, and between searches. */
const lookAfter = 8;
const lookEvery = 4;
/** Blocks after which the filter learns the echo path from scratch. */
const giveUpAfter = 40;
const samplesPerMs = inputRate / 1000;

/**
 * An adaptive filter for the echo path and a suppressor for residual echo. Its output is 10 ms late. The lead is how far
 * the far end is read ahead of the microphone, because device times are inexact; it shrinks by each delay that is found.
 */
export class AdaptiveCanceller implements EchoCanceller {
  #filter = new EchoFilter();
  #suppressor: EchoSuppressor;
  #confidence = new EchoConfidence();
  readonly #evidence = new EchoEvidence();
  readonly #shift = new EchoShiftEstimator();
  readonly #delay = new EchoDelayEstimator();
  readonly #residual = new Float32Array(echoBlockSamples);
  /** The lead at which a lost path is learned again, reduced by the measured device delay. */
  #firstAheadMs = initialLeadMs;
  #aheadMs = initialLeadMs;
  #quietBlocks = Infinity;
  #knowsPath = false;
  #lostBlocks = 0;
  #lastShift: number | undefined;
  readonly #judge: (() => EchoJudge) | undefined;

  constructor(judge?: () => EchoJudge) {
    this.#judge = judge;
    this.#suppressor = new EchoSuppressor(judge?.());
  }

  /** Reduced by the echo delay that was found. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  get finding(): EchoFinding {
    return this.#evidence.finding;
  }

  get hasNearEndSpeech(): boolean {
    return this.#suppressor.hasNearEndSpeech;
  }

  process(frame: Float32Array, farEnd: Float32Array): Float32Array {
    this.#quietBlocks = isAudible(farEnd) ? 0 : this.#quietBlocks + 1;
    if (this.#quietBlocks > decayBlocks) return this.#suppressor.pass(frame);
    if (!this.#knowsPath) this.#findDelay(frame, farEnd);
    const echo = this.#filter.expect(farEnd);
    for (let n = 0; n < frame.length; n += 1) this.#residual[n] = (frame[n] ?? 0) - (echo[n] ?? 0);
    if (this.#evidence.follow(frame, this.#residual, this.#quietBlocks === 0))
      this.#filter.saveProvenPath();
    const proven = this.#evidence.isProven ? this.#filter.provenEcho : echo;
    this.#shift.push(frame, proven);
    // Learning at a wrong delay would destroy the path.
    if (this.#lostBlocks === 0) this.#filter.learn(this.#residual);
    if (this.finding === 'none') return this.#suppressor.pass(frame);
    this.#suppressor.push(this.#residual, echo, proven);
    this.#confidence.follow(this.#suppressor.split, this.#suppressor.provenSplit);
    if (this.#quietBlocks === 0) this.#follow();
    return this.#suppressor.process(this.#filter.played, this.#lostBlocks > 0 ? lostGain : 1);
  }

  resume(played: Float32Array): void {
    this.#filter.farEnd.remember(played);
    this.#shift.reset();
  }

  reset(): void {
    this.#restart(initialLeadMs);
    this.#quietBlocks = Infinity;
  }

  /** Discards the echo path and keeps only the expected delay. */
  #restart(aheadMs: number): void {
    this.#filter = new EchoFilter();
    this.#suppressor = new EchoSuppressor(this.#judge?.());
    this.#confidence = new EchoConfidence();
    this.#evidence.forget();
    this.#shift.reset();
    this.#delay.reset();
    this.#firstAheadMs = aheadMs;
    this.#aheadMs = aheadMs;
    this.#knowsPath = false;
    this.#lostBlocks = 0;
    this.#lastShift = undefined;
  }

  /** Before a path is known: restarts at the measured delay if the echo is hundreds of milliseconds late. */
  #findDelay(frame: Float32Array, farEnd: Float32Array): void {
    const late = this.#delay.follow(frame, farEnd, this.#quietBlocks === 0);
    if (late !== undefined && late >= lateMs) this.#restart(this.#aheadMs - (late - marginMs));
  }

  /** Searches for a lost echo at other delays. If that fails, the filter learns the path from scratch. */
  #follow(): void {
    const { trust, hasWorked } = this.#confidence;
    this.#knowsPath ||= hasWorked && trust === 1;
    if (trust > foundAbove) this.#lostBlocks = 0;
    else if (this.#knowsPath && (trust < lostBelow || this.#lostBlocks > 0)) this.#lostBlocks += 1;
    if (this.#lostBlocks >= lookAfter && this.#lostBlocks % lookEvery === 0) this.#searchShift();
    if (this.#lostBlocks <= giveUpAfter) return;
    this.#filter.forgetPath();
    this.#filter.farEnd.delay((this.#aheadMs - this.#firstAheadMs) * samplesPerMs);
    this.#aheadMs = this.#firstAheadMs;
    this.#shift.reset();
    this.#lastShift = undefined;
    this.#evidence.forgetPath();
    this.#confidence.forget();
    this.#knowsPath = false;
    this.#lostBlocks = 0;
  }

  /** Two searches must agree, because the pitch of a voice resembles a shift. */
  #searchShift(): void {
    const later = this.#shift.find(this.#lostBlocks * echoBlockSamples);
    const before = this.#lastShift;
    this.#lastShift = later;
    if (later === undefined || before === undefined) return;
    if (Math.abs(later - before) > samplesPerMs / 2) return;
    this.#lastShift = undefined;
    const confidence = this.#confidence;
    if (Math.abs(later) < samplesPerMs) {
      // The delay is unchanged; somebody speaks over the echo.
      confidence.confirmed();
      this.#lostBlocks = 0;
      return;
    }
    if (this.#aheadMs - later / samplesPerMs > maxLeadMs) return;
    this.#aheadMs -= later / samplesPerMs;
    if (this.#evidence.isProven) this.#filter.restoreProvenPath();
    this.#filter.farEnd.delay(later);
    this.#shift.reset();
    confidence.moved();
    this.#lostBlocks = 1;
  }
}

function isAudible(samples: Float32Array): boolean {
  for (let n = 0; n < samples.length; n += 1) if (Math.abs(samples[n] ?? 0) > audible) return true;
  return false;
}
