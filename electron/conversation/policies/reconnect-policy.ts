import { rootError } from '../../../shared/errors/session-reasons.ts';
import type { Random } from '../../ports/clock.ts';
import { verdictOf } from './ending-verdict.ts';
import type { JudgedEnding } from './ending-verdict.ts';

/** What follows an ending: a reconnect after a backoff, or a stop with an offer to the person. */
export type AfterEnding =
  | { readonly do: 'reconnect'; readonly inMs: number }
  | { readonly do: 'stop'; readonly offer: Offer };

/**
 * What the person is offered: a new session that knows what was said, the same attempt again, a look
 * at the endpoint's address, mode, trust and settings, a look at its token.
 */
export type Offer = 'continue' | 'retry' | 'checkEndpoint' | 'checkToken' | 'none';

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
  const offer: Offer = history.talked ? 'continue' : 'retry';
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

function stop(offer: Offer): AfterEnding {
  return { do: 'stop', offer };
}

/** Twice as long each time, and never all clients of a server at once: half of it is left to the dice. */
function reconnect({ tries }: ReconnectHistory, random: Random, minDelayMs = 0): AfterEnding {
  const doubled = Math.min(firstMs * 2 ** tries, maxDelayMs);
  const base = Math.max(doubled, minDelayMs * 2);
  return { do: 'reconnect', inMs: Math.round(base * (0.5 + random() / 2)) };
}
