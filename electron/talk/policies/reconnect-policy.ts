import {
  type ErrorCode,
  type SessionErrorCode,
  type RefusedCode,
  refusedStatus,
  rootError,
} from '../../../shared/errors/app-error.ts';
import type { Clock, Random } from '../../../shared/ports/clock.ts';
import type { TalkOffer } from '../../../shared/talk/talk-view.ts';
import type { SessionEvent, SessionPhase } from '../session/session-event.ts';

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
  /** Milliseconds since a session ended, if no server has queued or accepted Parley after it. */
  readonly awayMs: number;
}

export const freshHistory: ReconnectHistory = {
  wasLive: false,
  wasEverLive: false,
  tries: 0,
  failures: 0,
  awayMs: 0,
};

/** Limit of the first backoff. The limit doubles with each try, up to `maxDelayMs`. */
const firstDelayMs = 500;
const maxDelayMs = 10_000;

/** Longer than a router takes to restart. After that the talk ends, and the user can continue it with a button. */
const maxAwayMs = 240_000;
const maxTries = 60;

/** After this many failures, the server or our input is broken. */
const maxFailures = 4;

/** A busy worker is soon free, so even the first session of a talk is retried, at most this many times. */
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

/** Decides after each session whether and when to reconnect, by its end and by the attempts before. */
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
    if (this.#liveSince !== undefined && now - this.#liveSince >= stableMs)
      this.#forget({ wasLive: this.#history.wasLive });
    this.#liveSince = undefined;
    this.#awaySince ??= now;
    const history = { ...this.#history, awayMs: now - this.#awaySince };
    const then = afterEnding(ending, history, this.#random);
    this.#history = {
      ...history,
      tries: history.tries + 1,
      failures: history.failures + (judgeEnding(ending).kind === 'failed' ? 1 : 0),
    };
    if (then.do === 'stop') this.#forget({ wasLive: false });
    return then;
  }

  /** The user begins or continues: a failure of this attempt is reported at once, unless all workers are busy. */
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

/** Whether and how to reconnect after a session's end. */
type Verdict =
  /** The network or the server is temporarily away: retry for minutes. */
  | { readonly kind: 'away'; readonly minDelayMs?: number }
  /** The server failed: retry only a few times, because our own input may be the cause. */
  | { readonly kind: 'failed' }
  /** No reconnect. `SessionLifetime` continues the talk if only a limit of the session was reached. */
  | { readonly kind: 'over' }
  | { readonly kind: 'ended' }
  /** Retries fail until the user changes something, unless the cause `mayPass`, as with a captive portal. */
  | { readonly kind: 'endpoint' | 'token'; readonly mayPass?: boolean };

const away: Verdict = { kind: 'away' };
const failed: Verdict = { kind: 'failed' };
const over: Verdict = { kind: 'over' };
const endpoint: Verdict = { kind: 'endpoint' };
const token: Verdict = { kind: 'token' };
const passingEndpoint: Verdict = { kind: 'endpoint', mayPass: true };
const passingToken: Verdict = { kind: 'token', mayPass: true };
/** The queue needs seconds to shorten; an immediate retry would make it longer. */
const longQueue: Verdict = { kind: 'away', minDelayMs: 5_000 };
/** Rate-limited servers count our retries, too. */
const rateLimited: Verdict = { kind: 'away', minDelayMs: 30_000 };

/** Verdicts for errors of a session; other codes mean that no connection was made. */
const verdicts = {
  // Connection.
  connectionLost: away,
  speechLost: over,
  lostInSleep: away,
  talkCutByCrash: over,
  closedSilently: failed,
  serverFailed: failed,
  serverCannotRead: over,
  messageTooLarge: over,
  notAllowed: token,
  // Setup of a session.
  serverSilent: away,
  sessionNotCreated: away,
  noChatInLegacy: endpoint,
  settingsRefused: endpoint,
  fieldRefused: endpoint,
  // While live. A server that floods the client would do it again.
  serverMessageTooLarge: over,
  answerTooLong: over,
  soundTooLong: over,
  troublesWithoutEnd: over,
  serverStalled: away,
  // Reasons that the server gives for the end.
  timeLimitReached: over,
  memoryFull: over,
  modelFailed: failed,
  serverLeaving: away,
  serverGaveUp: failed,
  serverSaysUserStop: over,
  serverSaysStopped: over,
  serverSaysClientClosed: over,
  // An unknown reason may mean that the server rejects this client, so no retry.
  serverEnded: over,
  serverReports: over,
  notChat: over,
  eventUnreadable: over,
  // Errors that the server reports.
  queueFull: longQueue,
  workersBusy: away,
  serverNotReady: away,
  workerUnreachable: away,
  sessionFailed: failed,
  // Ended by the user, by Parley or by a tape.
  endedByPerson: { kind: 'ended' },
  answerDone: { kind: 'ended' },
  sessionCut: { kind: 'ended' },
  tapeEndsInSentence: { kind: 'ended' },
  tapeEndsEarly: { kind: 'ended' },
} as const satisfies Readonly<Record<Exclude<SessionErrorCode, JudgedByFacts>, Verdict>>;

/** Codes whose verdict depends on their facts or cause. */
type JudgedByFacts = 'closedWithCode' | 'unreachable' | 'otherDialectHint' | RefusedCode;

export function judgeEnding({ error, by, lasting }: JudgedEnding): Verdict {
  const root = rootError(error);
  if (root.code === 'noChatInLegacy') return endpoint;
  if (by === 'client') return { kind: 'ended' };
  const status = refusedStatus(root);
  if (status !== undefined) return judgeHttpStatus(status);
  if (root.code === 'closedWithCode') return judgeCloseCode(root.facts.code);
  if (isJudged(root.code)) return verdicts[root.code];
  if (lasting !== true) return away;
  return fixedByUser.has(root.code) ? endpoint : passingEndpoint;
}

/** Errors that only the user can fix; a captive portal never causes them. */
const fixedByUser: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'badAddress',
  'proxyAddressForm',
  'proxyLoginGone',
  'proxyLoginSealed',
  'proxyWantsLogin',
  'proxyRefusesLogin',
]);

function isJudged(code: string): code is keyof typeof verdicts {
  return Object.hasOwn(verdicts, code);
}

export type JudgedEnding = Pick<
  Extract<SessionEvent, { event: 'closed' }>,
  'error' | 'by' | 'lasting'
>;

function judgeCloseCode(code: number): Verdict {
  if (code === 1005) return failed;
  return code === 1014 ? away : over;
}

function judgeHttpStatus(status: number): Verdict {
  if (status === 403) return passingToken;
  if (status === 401 || status === 407) return token;
  if (status === 429) return rateLimited;
  if (status === 408 || status === 425) return away;
  // 501 Not Implemented and 505 Version Not Supported are permanent.
  if (status === 501 || status === 505) return endpoint;
  if (status === 404 || (status >= 300 && status < 400)) return passingEndpoint;
  return status >= 500 ? away : endpoint;
}
