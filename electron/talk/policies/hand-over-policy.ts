import type { HandOverStep } from '../../../shared/recordings/tape-event.ts';
import type { TalkLimits } from '../../../shared/talk/talk-state.ts';

/** What there is of the session that is to take over. */
export type NextSession = 'none' | 'coming' | 'queued' | 'live';

interface HandOverView {
  readonly next: NextSession;
  /** Until the session ends by time or context, as far as that is known. */
  readonly secondsLeft: number;
  /** It has answered something: a talk that was left open ends with its session. */
  readonly isUsed: boolean;
  /** How long it has been live. */
  readonly livedSeconds: number;
  /** Nobody speaks, and nothing of an answer is coming or sounding, for so long. */
  readonly quietMs: number;
  /** The model is in the middle of an answer. */
  readonly answering: boolean;
  /** What the microphone hears waits for the next one. */
  readonly held: boolean;
  /** Since the next one was asked for. */
  readonly waitedMs: number;
  /** Something was said since the next one was told what was said. */
  readonly stale: boolean;
}

type HandOverMove = 'none' | HandOverStep;

/** From then on a good moment is looked for. */
export const dueSeconds = 60;
/** From then on any moment is good in which the model does not speak. */
const urgentSeconds = 10;
/** And then any. */
const lastSeconds = 3;
/** A pause between two sentences is shorter. */
const goodPauseMs = 600;
/** Longer nobody's words are held back for a session that is not there. */
const maxBridgeMs = 2500;

export function handOverMove(view: HandOverView): HandOverMove {
  const { next, secondsLeft, isUsed, livedSeconds, quietMs, answering, held, waitedMs, stale } =
    view;
  const urgent = secondsLeft <= urgentSeconds && !answering;
  const last = secondsLeft <= lastSeconds;
  const good = quietMs >= goodPauseMs || urgent || last;
  switch (next) {
    case 'none':
      // A session that has hardly begun has no successor yet, however short it may be.
      return isUsed && secondsLeft <= Math.min(dueSeconds, livedSeconds) && good ? 'open' : 'none';
    case 'live':
      if ((stale || (held && answering)) && !last) return 'drop';
      return held || quietMs > 0 || urgent || last ? 'take' : 'none';
    case 'coming':
      if (answering && !last) return 'drop';
      return waitedMs > maxBridgeMs && !urgent && !last ? 'release' : 'none';
    case 'queued':
      return last || urgent ? 'yield' : 'none';
  }
}

/** The sooner of the two ends. */
export function secondsLeftOf({
  seconds,
  tokenSeconds,
}: Pick<TalkLimits, 'seconds' | 'tokenSeconds'>): number {
  return Math.min(seconds ?? Infinity, tokenSeconds ?? Infinity);
}

interface Speaking {
  readonly person: boolean;
  /** Its voice is heard, or more of the answer is still to be. */
  readonly parley: boolean;
  /** Something of an answer has come, and its end has not. */
  readonly answering: boolean;
}

/** Whoever has said something and hears nothing for so long is not waiting for an answer any more. */
const unansweredMs = 8000;

/** How long nobody has spoken, and nobody waits for an answer. */
export class QuietMoment {
  #since: number | undefined;
  #personSpokeAt = -Infinity;
  #parleySpokeAt = -Infinity;

  /** The milliseconds of quiet until now. */
  update({ person, parley, answering }: Speaking, now: number): number {
    if (person) this.#personSpokeAt = now;
    if (parley) this.#parleySpokeAt = now;
    const waits =
      this.#personSpokeAt > this.#parleySpokeAt && now - this.#personSpokeAt < unansweredMs;
    if (person || parley || answering || waits) this.#since = undefined;
    else this.#since ??= now;
    return this.#since === undefined ? 0 : now - this.#since;
  }
}
