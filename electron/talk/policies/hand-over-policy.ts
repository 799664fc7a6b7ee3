import type { HandOverStep } from '../../../shared/recordings/tape-event.ts';
import type { TalkLimits } from '../../../shared/talk/talk-view.ts';

export type NextSessionState = 'none' | 'coming' | 'queued' | 'live';

interface HandOverView {
  readonly next: NextSessionState;
  /** Seconds until time or context ends the session; Infinity if unknown. */
  readonly secondsLeft: number;
  /** The session has answered at least once. Otherwise the talk ends with it, so that no forgotten microphone stays open. */
  readonly isUsed: boolean;
  readonly livedSeconds: number;
  /** The next session would know a result that the user waits for. */
  readonly isEarlyRequested: boolean;
  /** How long nobody has spoken, no answer was coming, and the user did not wait for one. */
  readonly quietMs: number;
  readonly answering: boolean;
  /** Microphone sound is buffered for the next session. */
  readonly buffering: boolean;
  /** Milliseconds since the next session was requested. */
  readonly waitedMs: number;
  /** The transcript has grown since the next session got it. */
  readonly stale: boolean;
}

type HandOverMove = 'none' | HandOverStep;

/** A hand-over may begin, at a good moment, when at most this much time is left. */
export const dueSeconds = 60;
/** While at most this much time is left, any moment without an answer is good. */
const urgentSeconds = 10;
/** A younger session has no early hand-over, so that several tool results in a row do not each open a session. */
const minLivedSeconds = 20;
/** An early hand-over waits for a longer pause, because it is not urgent. */
const earlyPauseMs = 1500;
/** While at most this much time is left, any moment is good, even during an answer. */
const lastSeconds = 3;
/** A pause this long is good, because pauses between sentences are shorter. */
const goodPauseMs = 600;
/** Longest time that speech is buffered for a session that is not live yet, unless the limit is close. */
const maxBridgeMs = 2500;

/** The step of the hand-over that is due now. */
export function handOverMove(view: HandOverView): HandOverMove {
  const {
    next,
    secondsLeft,
    isUsed,
    livedSeconds,
    isEarlyRequested,
    quietMs,
    answering,
    buffering,
    waitedMs,
    stale,
  } = view;
  const isUrgent = secondsLeft <= urgentSeconds && !answering;
  const isLastMoment = secondsLeft <= lastSeconds;
  const isGoodMoment = quietMs >= goodPauseMs || isUrgent || isLastMoment;
  switch (next) {
    case 'none':
      if (!isUsed) return 'none';
      if (isEarlyRequested && livedSeconds >= minLivedSeconds && quietMs >= earlyPauseMs)
        return 'open';
      // In the first half of its time a session gets no successor, even if its limit is short.
      return secondsLeft <= Math.min(dueSeconds, livedSeconds) && isGoodMoment ? 'open' : 'none';
    case 'live':
      if ((stale || (buffering && answering)) && !isLastMoment) return 'drop';
      return buffering || quietMs > 0 || isUrgent || isLastMoment ? 'take' : 'none';
    case 'coming':
      if (answering && !isLastMoment) return 'drop';
      return waitedMs > maxBridgeMs && !isUrgent && !isLastMoment ? 'release' : 'none';
    case 'queued':
      return isLastMoment || isUrgent ? 'yield' : 'none';
  }
}

export function secondsUntilLimit({
  seconds,
  tokenSeconds,
}: Pick<TalkLimits, 'seconds' | 'tokenSeconds'>): number {
  return Math.min(seconds ?? Infinity, tokenSeconds ?? Infinity);
}

interface Speaking {
  readonly user: boolean;
  /** The answer's voice sounds, or more of the answer is queued. */
  readonly parley: boolean;
  readonly answering: boolean;
}

/** After this long without an answer, the user is no longer waiting for one. */
const unansweredMs = 8000;

/** Measures how long nobody has spoken and nobody waits for an answer. */
export class QuietTracker {
  #since: number | undefined;
  #userSpokeAt = -Infinity;
  #parleySpokeAt = -Infinity;

  update({ user, parley, answering }: Speaking, now: number): number {
    if (user) this.#userSpokeAt = now;
    if (parley) this.#parleySpokeAt = now;
    const waits = this.#userSpokeAt > this.#parleySpokeAt && now - this.#userSpokeAt < unansweredMs;
    if (user || parley || answering || waits) this.#since = undefined;
    else this.#since ??= now;
    return this.#since === undefined ? 0 : now - this.#since;
  }
}
