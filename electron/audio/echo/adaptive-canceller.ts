import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { echoBlockSamples, type EchoCanceller, type EchoFinding } from './echo-canceller.ts';
import { EchoConfidence, EchoEvidence } from './echo-confidence.ts';
import { EchoDelay, EchoShift } from './echo-delay.ts';
import { EchoFilter } from './echo-filter.ts';
import type { EchoJudge } from './echo-network.ts';
import { EchoSuppressor } from './echo-suppressor.ts';

const aheadAtFirstMs = 20;
/** An echo that comes later than this is out of a filter's reach with all that rings on… */
const lateMs = 180;
/** …and is expected so much sooner than it was found. */
const marginMs = 40;
/** The sound to be played next is known for some 40 ms. */
const mostAheadMs = 32;
/** So long after the last sound of the speaker nothing of it can be heard any more, in blocks. */
const quietBlocks = 60;
/** A softer sample is no sound of the speaker. */
const audible = 1e-4;
/** Trusted by less than this, an expected echo is lost… */
const lostBelow = 0.3;
/** …and by more than this there again. */
const foundAbove = 0.6;
/** Until it is found again so much goes on of what is heard: it may be echo, whoever else speaks. */
const lostShare = 0.05;
/** It is looked for after so many blocks, and again after so many more… */
const lookAfter = 8;
const lookEvery = 4;
/** …and then the way to the microphone is learned anew. */
const giveUpAfter = 40;
const samplesPerMs = inputRate / 1000;

/**
 * Parley's own echo canceller: a filter that learns the room, and a suppressor for what that leaves.
 * Gives what came 10 ms later; costs little while the speaker is silent.
 */
export class AdaptiveCanceller implements EchoCanceller {
  #filter = new EchoFilter();
  #suppressor: EchoSuppressor;
  #confidence = new EchoConfidence();
  readonly #evidence = new EchoEvidence();
  readonly #shift = new EchoShift();
  readonly #delay = new EchoDelay();
  readonly #rest = new Float32Array(echoBlockSamples);
  /** Where a way that is lost is looked for anew: later by how late devices are. */
  #firstAheadMs = aheadAtFirstMs;
  #aheadMs = aheadAtFirstMs;
  #quiet = Infinity;
  #knowsPath = false;
  /** For so many blocks the echo has not been the expected one. */
  #lost = 0;
  #seen: number | undefined;
  readonly #judge: (() => EchoJudge) | undefined;

  constructor(judge?: () => EchoJudge) {
    this.#judge = judge;
    this.#suppressor = new EchoSuppressor(judge?.());
  }

  /** Later by as much as the echo has been found to be. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  get finding(): EchoFinding {
    return this.#evidence.finding;
  }

  get hearsSomebody(): boolean {
    return this.#suppressor.hearsSomebody;
  }

  process(frame: Float32Array, farEnd: Float32Array): Float32Array {
    this.#quiet = isAudible(farEnd) ? 0 : this.#quiet + 1;
    if (this.#quiet > quietBlocks) return this.#suppressor.pass(frame);
    if (!this.#knowsPath) this.#findDelay(frame, farEnd);
    const echo = this.#filter.expect(farEnd);
    for (let n = 0; n < frame.length; n += 1) this.#rest[n] = (frame[n] ?? 0) - (echo[n] ?? 0);
    if (this.#evidence.follow(frame, this.#rest, this.#quiet === 0)) this.#filter.prove();
    const proven = this.#evidence.isProven ? this.#filter.steady : echo;
    this.#shift.push(frame, proven);
    // A way that is heard at another time is not learned: it would be lost.
    if (this.#lost === 0) this.#filter.learn(this.#rest);
    if (this.finding === 'none') return this.#suppressor.pass(frame);
    this.#suppressor.push(this.#rest, echo, proven);
    this.#confidence.follow(this.#suppressor.split, this.#suppressor.provenSplit);
    if (this.#quiet === 0) this.#follow();
    return this.#suppressor.process(this.#filter.played, this.#lost > 0 ? lostShare : 1);
  }

  rejoin(played: Float32Array): void {
    this.#filter.farEnd.remember(played);
    this.#shift.reset();
  }

  reset(): void {
    this.#beginAnew(aheadAtFirstMs);
    this.#quiet = Infinity;
  }

  /** Forgets the room; only how late its echo may be is known. */
  #beginAnew(aheadMs: number): void {
    this.#filter = new EchoFilter();
    this.#suppressor = new EchoSuppressor(this.#judge?.());
    this.#confidence = new EchoConfidence();
    this.#evidence.forget();
    this.#shift.reset();
    this.#delay.reset();
    this.#firstAheadMs = aheadMs;
    this.#aheadMs = aheadMs;
    this.#knowsPath = false;
    this.#lost = 0;
    this.#seen = undefined;
  }

  /** Before the way is known: an echo that comes hundreds of milliseconds late is expected then, and learned from the beginning. */
  #findDelay(frame: Float32Array, farEnd: Float32Array): void {
    const late = this.#delay.follow(frame, farEnd, this.#quiet === 0);
    if (late !== undefined && late >= lateMs) this.#beginAnew(this.#aheadMs - (late - marginMs));
  }

  /** An echo that is no longer the expected one is looked for at other times, and if that is in vain learned anew. */
  #follow(): void {
    const { trust, hasWorked } = this.#confidence;
    this.#knowsPath ||= hasWorked && trust === 1;
    if (trust > foundAbove) this.#lost = 0;
    else if (this.#knowsPath && (trust < lostBelow || this.#lost > 0)) this.#lost += 1;
    if (this.#lost >= lookAfter && this.#lost % lookEvery === 0) this.#look();
    if (this.#lost <= giveUpAfter) return;
    this.#filter.forgetPath();
    this.#filter.farEnd.delay((this.#aheadMs - this.#firstAheadMs) * samplesPerMs);
    this.#aheadMs = this.#firstAheadMs;
    this.#shift.reset();
    this.#seen = undefined;
    this.#evidence.forgetPath();
    this.#confidence.forget();
    this.#knowsPath = false;
    this.#lost = 0;
  }

  /** Twice it must be found at the same time: the pitch of a voice is like a shift. */
  #look(): void {
    const later = this.#shift.find(this.#lost * echoBlockSamples);
    const before = this.#seen;
    this.#seen = later;
    if (later === undefined || before === undefined) return;
    if (Math.abs(later - before) > samplesPerMs / 2) return;
    this.#seen = undefined;
    const confidence = this.#confidence;
    if (Math.abs(later) < samplesPerMs) {
      // It is where it was; somebody talks over it.
      confidence.confirmed();
      this.#lost = 0;
      return;
    }
    if (this.#aheadMs - later / samplesPerMs > mostAheadMs) return;
    this.#aheadMs -= later / samplesPerMs;
    if (this.#evidence.isProven) this.#filter.fallBack();
    this.#filter.farEnd.delay(later);
    this.#shift.reset();
    confidence.moved();
    this.#lost = 1;
  }
}

function isAudible(samples: Float32Array): boolean {
  for (let n = 0; n < samples.length; n += 1) if (Math.abs(samples[n] ?? 0) > audible) return true;
  return false;
}
