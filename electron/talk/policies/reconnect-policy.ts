import { rootError } from '../../../shared/errors/session-reasons.ts';
import type { Clock, Random } from '../../../shared/ports/clock.ts';
import type { TalkOffer } from '../../../shared/talk/talk-state.ts';
import type { SessionPhase } from '../session/session-event.ts';
import { type JudgedEnding, judgeEnding } from './ending-verdict.ts';

/** Consequence of a session's end: a reconnect, or a stop with an offer to the user. */
export type AfterEnding =
  | { readonly do: 'reconnect'; readonly inMs: number }
  | { readonly do: 'stop'; readonly offer: TalkOffer };

/** Attempts since the conversation was last stable. */
export interface ReconnectHistory {
  /** A session was live since the user began or continued, so reconnecting is worthwhile. */
  readonly wasLive: boolean;
  /** A session of this conversation was live, so there is something to continue. */
  readonly wasEverLive: boolean;
  readonly tries: number;
  /** Attempts at which the server failed. Attempts at which it was away do not count. */
  readonly failures: number;
  /** Milliseconds since the first session end after a server last queued or accepted us. */
  readonly awayMs: number;
}

export const freshHistory: ReconnectHistory = {
  wasLive: false,
  wasEverLive: false,
  tries: 0,
  failures: 0,
  awayMs: 0,
};

/** The first backoff has this limit; each further one doubles, up to the maximum. */
const firstDelayMs = 500;
const maxDelayMs = 10_000;

/** Longer than a router takes to restart; after that the user can press the button. */
const maxAwayMs = 240_000;
const maxTries = 60;

/** After this many failures, the server or our input is broken. */
const maxFailures = 4;

/** A busy worker is soon free, so even the first session of a talk is retried this often. */
const maxBusyTries = 3;

export function afterEnding(
  ending: JudgedEnding,
  history: ReconnectHistory,
  random: Random,
): AfterEnding {
  const verdict = judgeEnding(ending);
  const offer: TalkOffer = history.wasEverLive ? 'continue' : 'retry';
  switch (verdict.kind) {
    case 'ended':
      return stop('none');
    case 'endpoint':
    case 'token':
      return verdict.mayPass === true && mayRetry(ending, history)
        ? reconnect(history, random)
        : stop(verdict.kind === 'token' ? 'checkToken' : 'checkEndpoint');
    case 'over':
      return stop(offer);
    case 'failed':
      return history.wasLive && history.failures < maxFailures
        ? reconnect(history, random)
        : stop(offer);
    case 'away':
      return mayRetry(ending, history)
        ? reconnect(history, random, verdict.minDelayMs)
        : stop(offer);
  }
}

function mayRetry({ error }: JudgedEnding, history: ReconnectHistory): boolean {
  if (!history.wasLive) {
    return rootError(error).code === 'workersBusy' && history.tries < maxBusyTries;
  }
  return history.awayMs < maxAwayMs && history.tries < maxTries;
}

function stop(offer: TalkOffer): AfterEnding {
  return { do: 'stop', offer };
}

/** Exponential backoff; half of it is random, so that clients do not reconnect together. */
function reconnect({ tries }: ReconnectHistory, random: Random, minDelayMs = 0): AfterEnding {
  const doubled = Math.min(firstDelayMs * 2 ** tries, maxDelayMs);
  const base = Math.max(doubled, minDelayMs * 2);
  return { do: 'reconnect', inMs: Math.round(base * (0.5 + random() / 2)) };
}

/** A session live for this long resets the history. */
const stableMs = 30_000;

export class ReconnectTracker {
  readonly #clock: Clock;
  readonly #random: Random;
  #history: ReconnectHistory = freshHistory;
  #awaySince: number | undefined;
  #liveSince: number | undefined;

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  onPhase(phase: SessionPhase): void {
    if (phase === 'live') {
      this.#history = { ...this.#history, wasLive: true, wasEverLive: true };
      this.#liveSince = this.#clock.now();
    }
    // A queued client has a working server, even if the queue is long.
    if (phase === 'queued' || phase === 'configuring' || phase === 'live')
      this.#awaySince = undefined;
  }

  /** Call once per ended session; a reconnect that it returns counts as a try. */
  onSessionEnd(ending: JudgedEnding): AfterEnding {
    const now = this.#clock.now();
    if (this.#liveSince !== undefined && now - this.#liveSince >= stableMs) this.onSystemWake();
    this.#liveSince = undefined;
    this.#awaySince ??= now;
    const history = { ...this.#history, awayMs: now - this.#awaySince };
    const then = afterEnding(ending, history, this.#random);
    const failed = judgeEnding(ending).kind === 'failed' ? 1 : 0;
    this.#history = {
      ...history,
      tries: history.tries + 1,
      failures: history.failures + failed,
    };
    if (then.do === 'stop') this.onUserStart();
    return then;
  }

  /** The user begins or continues: a failure of this attempt is reported at once. */
  onUserStart(): void {
    this.#forget({ wasLive: false });
  }

  /** The machine slept, so earlier failures say nothing about the present. */
  onSystemWake(): void {
    this.#forget({ wasLive: this.#history.wasLive });
  }

  #forget({ wasLive }: Pick<ReconnectHistory, 'wasLive'>): void {
    this.#history = { ...freshHistory, wasLive, wasEverLive: this.#history.wasEverLive };
    this.#awaySince = undefined;
    this.#liveSince = undefined;
  }
}
