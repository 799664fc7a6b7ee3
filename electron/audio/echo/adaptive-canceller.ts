// Removes the speaker's echo from the microphone (decision 39). For each block, in this order: `EchoDelayEstimator` finds the
// delay, `EchoFilter` predicts the echo, `EchoEvidence` and `EchoConfidence` judge the filter, and `EchoSuppressor` removes the
// rest. `EchoShiftEstimator` searches for an echo that has moved.
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { echoBlockSamples, type EchoCanceller, type EchoFinding } from './echo-canceller.ts';
import { EchoConfidence, EchoEvidence } from './echo-confidence.ts';
import { EchoDelayEstimator, EchoShiftEstimator } from './echo-delay.ts';
import { EchoFilter } from './echo-filter.ts';
import { type EchoJudge, EchoSuppressor } from './echo-suppressor.ts';

const initialLeadMs = 20;
/** From this delay on, echo and reverberation last longer than the filter can model. */
const lateMs = 180;
/** After a long delay has been found, the lead is reduced until the echo follows the far end by this much. */
const remainingDelayMs = 40;
/** A larger lead is impossible, because the far end is known only some 40 ms ahead. */
const maxLeadMs = 32;
/** Blocks after which the last playback has died away. */
const decayBlocks = 60;
const audible = 1e-4;
const lostTrust = 0.3;
const foundTrust = 0.6;
/**
 * Upper limit of the suppressor's gains while the filter has lost track of the echo: the sound may be echo even if somebody
 * speaks.
 */
const lostGain = 0.05;
/** Blocks from the loss of the echo to the first search for it, and between searches. */
const firstSearchBlocks = 8;
const searchEveryBlocks = 4;
/** Blocks from the loss of the echo until the filter learns the path from scratch. */
const giveUpBlocks = 40;
const samplesPerMs = inputRate / 1000;

/**
 * An adaptive filter for the echo path and a suppressor for residual echo. Its output is 10 ms late. The lead is how
 * far the far end is read ahead of the microphone's time, a margin for inexact device times. The lead shrinks if the
 * echo turns out to be later than expected, and grows if the echo is earlier.
 */
export class AdaptiveCanceller implements EchoCanceller {
  readonly delayMs = 10;
  #filter = new EchoFilter();
  #suppressor: EchoSuppressor;
  #confidence = new EchoConfidence();
  readonly #evidence = new EchoEvidence();
  readonly #shift = new EchoShiftEstimator();
  readonly #delay = new EchoDelayEstimator();
  readonly #residual = new Float32Array(echoBlockSamples);
  /** The lead at which a path is learned from scratch. It is smaller after a long delay was measured. */
  #startLeadMs = initialLeadMs;
  #leadMs = initialLeadMs;
  #quietBlocks = Infinity;
  #isPathKnown = false;
  #lostBlocks = 0;
  #lastShift: number | undefined;
  readonly #judge: (() => EchoJudge) | undefined;

  constructor(judge?: () => EchoJudge) {
    this.#judge = judge;
    this.#suppressor = new EchoSuppressor(judge?.());
  }

  get leadMs(): number {
    return this.#leadMs;
  }

  get finding(): EchoFinding {
    return this.#evidence.finding;
  }

  get nearEndPresence(): number | undefined {
    return this.#suppressor.nearEndPresence;
  }

  process(frame: Float32Array, farEnd: Float32Array): Float32Array {
    this.#quietBlocks = isAudible(farEnd) ? 0 : this.#quietBlocks + 1;
    if (this.#quietBlocks > decayBlocks) return this.#suppressor.pass(frame);
    if (!this.#isPathKnown) this.#findDelay(frame, farEnd);
    const echo = this.#filter.predict(farEnd);
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
    if (this.#quietBlocks === 0) this.#trackPath();
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

  /** Discards the echo path, and starts with the given lead. */
  #restart(leadMs: number): void {
    this.#filter = new EchoFilter();
    this.#suppressor = new EchoSuppressor(this.#judge?.());
    this.#confidence = new EchoConfidence();
    this.#evidence.forget();
    this.#shift.reset();
    this.#delay.reset();
    this.#startLeadMs = leadMs;
    this.#leadMs = leadMs;
    this.#isPathKnown = false;
    this.#lostBlocks = 0;
    this.#lastShift = undefined;
  }

  /**
   * Until a path is known: measures the delay of the echo, and restarts with a smaller lead if the delay is at least
   * `lateMs`.
   */
  #findDelay(frame: Float32Array, farEnd: Float32Array): void {
    const delayMs = this.#delay.follow(frame, farEnd, this.#quietBlocks === 0);
    if (delayMs !== undefined && delayMs >= lateMs)
      this.#restart(this.#leadMs - (delayMs - remainingDelayMs));
  }

  /** Searches for a lost echo at other delays. If that fails, the filter learns the path from scratch. */
  #trackPath(): void {
    const { trust, hasWorked } = this.#confidence;
    this.#isPathKnown ||= hasWorked && trust === 1;
    if (trust > foundTrust) this.#lostBlocks = 0;
    else if (this.#isPathKnown && (trust < lostTrust || this.#lostBlocks > 0))
      this.#lostBlocks += 1;
    if (this.#lostBlocks >= firstSearchBlocks && this.#lostBlocks % searchEveryBlocks === 0)
      this.#searchShift();
    if (this.#lostBlocks <= giveUpBlocks) return;
    this.#filter.forgetPath();
    this.#filter.farEnd.delay((this.#leadMs - this.#startLeadMs) * samplesPerMs);
    this.#leadMs = this.#startLeadMs;
    this.#shift.reset();
    this.#lastShift = undefined;
    this.#evidence.forgetPath();
    this.#confidence.forget();
    this.#isPathKnown = false;
    this.#lostBlocks = 0;
  }

  /** Two searches must agree, because a voice repeats itself with each pitch period, which can look like a shift of the echo. */
  #searchShift(): void {
    const shift = this.#shift.find(this.#lostBlocks * echoBlockSamples);
    const previous = this.#lastShift;
    this.#lastShift = shift;
    if (shift === undefined || previous === undefined) return;
    if (Math.abs(shift - previous) > samplesPerMs / 2) return;
    this.#lastShift = undefined;
    const confidence = this.#confidence;
    if (Math.abs(shift) < samplesPerMs) {
      // The delay is unchanged, so the echo is not lost; somebody is speaking over it.
      confidence.confirm();
      this.#lostBlocks = 0;
      return;
    }
    if (this.#leadMs - shift / samplesPerMs > maxLeadMs) return;
    this.#leadMs -= shift / samplesPerMs;
    if (this.#evidence.isProven) this.#filter.restoreProvenPath();
    this.#filter.farEnd.delay(shift);
    this.#shift.reset();
    confidence.restart();
    this.#lostBlocks = 1;
  }
}

function isAudible(samples: Float32Array): boolean {
  for (let n = 0; n < samples.length; n += 1) if (Math.abs(samples[n] ?? 0) > audible) return true;
  return false;
}
