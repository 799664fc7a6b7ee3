import {
  documentedContext,
  type ContextFacts,
  secondsWithPictures,
  pictureCosts,
  type PicturePlan,
  sharpestBudget,
  sharpEveryMs,
} from '../../shared/vision/context-facts.ts';

export interface Attention {
  readonly userSpeaks: boolean;
  readonly answerSounds: boolean;
}

/** Context that the server reports during a session. */
export interface ContextRoom {
  /** Undefined if the server does not count, or prunes without a request. */
  readonly tokensLeft: number | undefined;
  /** Tokens per second of sound and words, measured in this session. */
  readonly otherTokensPerSecond: number | undefined;
}

/** A picture may still belong to a question this long after it, because users show the object late. */
const questionMs = 2000;
/** While the user asks or the model answers, even an unchanged picture is sent again after these times. */
const questionRepeatMs = 3000;
const answerRepeatMs = 5000;
/** Even without any activity, a picture is sent after this many normal intervals. */
const quietIntervals = 2.5;
/**
 * Limit of the tokens saved in quiet moments: as many as a lively period of this length needs, or a few pictures if
 * that is more.
 */
const savedSeconds = 20;
const savedPictures = 4;
/** Share of the largest savings that only questions may spend. */
const reservedShare = 0.5;
/** The pace may be up to this many times faster or slower than planned, because servers count differently. */
const paceSlack = 4;
/** The learned or documented rate of sound and words counts like a measurement of this many seconds. */
const priorSeconds = 30;
const minRemainingSeconds = 5;

/**
 * Decides which frames are worth their tokens. It is a token bucket, filled at a pace at which the context lasts as long
 * as promised.
 */
export class FrameBudget {
  #facts = documentedContext;
  #plan: PicturePlan = { budget: sharpestBudget, slices: 1, rate: 1, chunkMs: 1000 };
  #session: { readonly at: number; readonly promptTokens: number | undefined } | undefined;
  #room: ContextRoom | undefined;
  #attention: Attention = { userSpeaks: false, answerSounds: false };
  #spokeAt = -Infinity;
  #sentAt: number | undefined;
  #savings = 0;
  #accruedAt = 0;

  plan(facts: ContextFacts, plan: PicturePlan): void {
    this.#facts = facts;
    this.#plan = plan;
    this.#savings = Math.min(this.#savings, this.#maxSavings);
  }

  /** Begins a session. The model has seen no picture in it. */
  begin(at: number, promptTokens: number | undefined): void {
    this.#session = { at, promptTokens };
    this.#room = undefined;
    this.#sentAt = undefined;
    this.#savings = this.#maxSavings;
    this.#accruedAt = at;
  }

  /** The source or options changed: the next frame is sent at once. */
  renew(): void {
    this.#sentAt = undefined;
  }

  setAttention(at: number, attention: Attention): void {
    if (this.#attention.userSpeaks) this.#spokeAt = at;
    this.#attention = attention;
  }

  setContextRoom(at: number, room: ContextRoom): void {
    this.#accrue(at);
    this.#room = room;
  }

  /**
   * Whether to send the frame sharp, in all its slices; the pause until the next one then begins. Otherwise the caller drops
   * the frame, or sends it coarse, in one slice, to a server that needs a frame with every append.
   */
  admit(at: number, changed: boolean): boolean {
    if (this.#isFree) return true;
    this.#accrue(at);
    const isAdmitted = this.#isDue(at, changed);
    if (isAdmitted) this.#sentAt = at;
    return isAdmitted;
  }

  /** Call after a sharp frame was sent. */
  spend(at: number): void {
    this.#accrue(at);
    this.#savings = Math.max(-this.#maxSavings, this.#savings - this.#cost);
  }

  #isDue(at: number, changed: boolean): boolean {
    const elapsedMs = at - (this.#sentAt ?? -Infinity);
    if (elapsedMs >= quietIntervals * this.#everyMs) return this.#savings > -this.#maxSavings;
    const isQuestion = this.#attention.userSpeaks || at - this.#spokeAt < questionMs;
    if (isQuestion && (changed || elapsedMs >= questionRepeatMs))
      return this.#savings >= this.#cost;
    const isUseful = changed || (this.#attention.answerSounds && elapsedMs >= answerRepeatMs);
    return isUseful && this.#savings >= this.#cost + reservedShare * this.#maxSavings;
  }

  /** Every frame may be sent: the user chose sharp pictures, or a coarse one costs as much. */
  get #isFree(): boolean {
    return this.#plan.budget >= sharpestBudget || this.#cost <= 0;
  }

  /** Extra cost of a sharp picture over its replacement. */
  get #cost(): number {
    const { sharp, coarse } = pictureCosts(this.#facts, this.#plan.slices);
    return this.#facts.everyAppend ? sharp - coarse : sharp;
  }

  get #everyMs(): number {
    return sharpEveryMs(this.#facts, this.#plan);
  }

  get #maxSavings(): number {
    return Math.max(savedPictures * this.#cost, (savedSeconds * 1000 * this.#cost) / this.#everyMs);
  }

  #accrue(at: number): void {
    const seconds = Math.max(0, at - this.#accruedAt) / 1000;
    this.#savings = Math.min(this.#maxSavings, this.#savings + seconds * this.#perSecond(at));
    this.#accruedAt = at;
  }

  /** Tokens per second for pictures: as planned, or so many that the context lasts until the promised time. */
  #perSecond(at: number): number {
    const planned = (this.#cost * 1000) / this.#everyMs;
    const tokensLeft = this.#room?.tokensLeft;
    if (this.#session === undefined || tokensLeft === undefined) return planned;
    const elapsedSeconds = (at - this.#session.at) / 1000;
    const expectedSeconds = secondsWithPictures(
      this.#facts,
      this.#plan,
      this.#session.promptTokens,
    );
    const remainingSeconds = Math.max(minRemainingSeconds, expectedSeconds - elapsedSeconds);
    const otherPerSecond = this.#otherTokensPerSecond(elapsedSeconds);
    const pace = (tokensLeft - Math.max(0, this.#savings)) / remainingSeconds - otherPerSecond;
    return Math.min(planned * paceSlack, Math.max(planned / paceSlack, pace));
  }

  #otherTokensPerSecond(elapsedSeconds: number): number {
    const { pictureScale, everyAppend, otherTokensPerSecond } = this.#facts;
    const { coarse } = pictureCosts({ pictureScale }, this.#plan.slices);
    const everyAppendTokens = everyAppend ? (coarse * 1000) / this.#plan.chunkMs : 0;
    const measured = this.#room?.otherTokensPerSecond ?? otherTokensPerSecond;
    const blended =
      (otherTokensPerSecond * priorSeconds + measured * elapsedSeconds) /
      (priorSeconds + elapsedSeconds);
    return blended + everyAppendTokens;
  }
}

/**
 * A frame may come after this share of the pause. That leaves room for an inexact timer, but not for a second picture
 * within the pause.
 */
const pauseShare = 0.75;

/**
 * Drops frames that come too early, because an append carries only one. A page's timer is inexact, so a frame may be
 * early by half an interval, and the next one then waits longer: on average frames keep the interval. A server may need
 * a longer pause.
 */
export class FrameRateLimiter {
  #last: number | undefined;
  /** How early the last frame was, in milliseconds; negative if it was late. */
  #earlyMs = 0;

  accepts(at: number, intervalMs: number, minPauseMs: number): boolean {
    const everyMs = Math.max(intervalMs, minPauseMs);
    const slackMs = everyMs - Math.max(intervalMs / 2, minPauseMs * pauseShare);
    const passedMs = at - (this.#last ?? -Infinity);
    // The interval may have become shorter since the last frame.
    const earlyMs = Math.min(this.#earlyMs, slackMs);
    if (passedMs < everyMs - slackMs + Math.max(0, earlyMs)) return false;
    this.#earlyMs = Math.max(-slackMs, earlyMs + everyMs - passedMs);
    this.#last = at;
    return true;
  }

  reset(): void {
    this.#last = undefined;
    this.#earlyMs = 0;
  }
}
