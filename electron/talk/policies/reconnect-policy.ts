import { rootError } from '../../../shared/errors/session-reasons.ts';
import type { Clock, Random } from '../../../shared/ports/clock.ts';
import type { TalkOffer } from '../../../shared/talk/talk-state.ts';
import type { SessionPhase } from '../session/session-event.ts';
import { type JudgedEnding, verdictOf } from './ending-verdict.ts';

/** What follows an ending: a reconnect after a backoff, or a stop with an offer to the person. */
export type AfterEnding =
  | { readonly do: 'reconnect'; readonly inMs: number }
  | { readonly do: 'stop'; readonly offer: TalkOffer };

/** What has been tried since the conversation last stood firmly. */
export interface ReconnectHistory {
  /** A session has been live since the person last began: what is lost is worth fetching back. */
  readonly wasLive: boolean;
  /** Some session of this conversation has been live, so that there is something to go on with. */
  readonly talked: boolean;
  /** Reconnects so far. */
  readonly tries: number;
  /** Those of them after which the server failed, rather than being away. */
  readonly failures: number;
  /** How long there has been no server that even queues us. */
  readonly awayMs: number;
}

/** Nothing was tried yet. */
export const freshHistory: ReconnectHistory = {
  wasLive: false,
  talked: false,
  tries: 0,
  failures: 0,
  awayMs: 0,
};

/** Backoff: the first retry comes within this; every further one may take twice as long, up to the longest. */
const firstMs = 500;
const maxDelayMs = 10_000;

/** Longer than a router needs to start again; who comes back after that would rather press a button. */
const maxAwayMs = 240_000;
const maxTries = 60;

/** After so many the server, or what it is sent, is broken. */
const maxFailures = 4;

/** A busy worker is free again soon; a first attempt does not trouble the person with it at once. */
const maxBusyTries = 3;

/** Whether to try again by oneself after an ending, and when; and if not, what to offer. */
export function afterEnding(
  ending: JudgedEnding,
  history: ReconnectHistory,
  random: Random,
): AfterEnding {
  const verdict = verdictOf(ending);
  const offer: TalkOffer = history.talked ? 'continue' : 'retry';
  switch (verdict.kind) {
    case 'ended':
      return stop('none');
    case 'endpoint':
    case 'token':
      return verdict.mayPass === true && hasPatience(ending, history)
        ? reconnect(history, random)
        : stop(verdict.kind === 'token' ? 'checkToken' : 'checkEndpoint');
    case 'over':
      return stop(offer);
    case 'failed':
      return history.wasLive && history.failures < maxFailures
        ? reconnect(history, random)
        : stop(offer);
    case 'away':
      return hasPatience(ending, history)
        ? reconnect(history, random, verdict.minDelayMs)
        : stop(offer);
  }
}

function hasPatience({ error }: JudgedEnding, history: ReconnectHistory): boolean {
  if (!history.wasLive) {
    return rootError(error).code === 'workersBusy' && history.tries < maxBusyTries;
  }
  return history.awayMs < maxAwayMs && history.tries < maxTries;
}

function stop(offer: TalkOffer): AfterEnding {
  return { do: 'stop', offer };
}

/** Twice as long each time, and never all clients of a server at once: half of it is left to the dice. */
function reconnect({ tries }: ReconnectHistory, random: Random, minDelayMs = 0): AfterEnding {
  const doubled = Math.min(firstMs * 2 ** tries, maxDelayMs);
  const base = Math.max(doubled, minDelayMs * 2);
  return { do: 'reconnect', inMs: Math.round(base * (0.5 + random() / 2)) };
}

/** A session that was live for so long has shown that it can be: what went wrong before is forgotten. */
const stableMs = 30_000;

/** Keeps the history that `afterEnding` judges by, over all sessions of one conversation. */
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

  /** Every state that a session emits. */
  entered(phase: SessionPhase): void {
    if (phase === 'live') {
      this.#history = { ...this.#history, wasLive: true, talked: true };
      this.#liveSince = this.#clock.now();
    }
    // A server that queues us is not away, however long the queue is.
    if (phase === 'queued' || phase === 'configuring' || phase === 'live')
      this.#awaySince = undefined;
  }

  /** Once for every session that has ended; a reconnect that it asks for counts as tried. */
  ended(ending: JudgedEnding): AfterEnding {
    const now = this.#clock.now();
    if (this.#liveSince !== undefined && now - this.#liveSince >= stableMs) this.onSystemWake();
    this.#liveSince = undefined;
    this.#awaySince ??= now;
    const history = { ...this.#history, awayMs: now - this.#awaySince };
    const then = afterEnding(ending, history, this.#random);
    const failed = verdictOf(ending).kind === 'failed' ? 1 : 0;
    this.#history = {
      ...history,
      tries: history.tries + 1,
      failures: history.failures + failed,
    };
    if (then.do === 'stop') this.began();
    return then;
  }

  /** The person begins or goes on: should this attempt fail, they learn of it at once. */
  began(): void {
    this.#forget({ wasLive: false });
  }

  /** The machine slept, so that what failed before says nothing about now. */
  onSystemWake(): void {
    this.#forget({ wasLive: this.#history.wasLive });
  }

  #forget({ wasLive }: Pick<ReconnectHistory, 'wasLive'>): void {
    this.#history = { ...freshHistory, wasLive, talked: this.#history.talked };
    this.#awaySince = undefined;
    this.#liveSince = undefined;
  }
}
