import type { SessionEvent } from '../../session/session-event.ts';

/** What an ending says about trying again on one's own. */
export type Verdict =
  /** Network or server are away for a while and come back: tried for minutes. */
  | { readonly kind: 'away'; readonly leastMs?: number }
  /** The server failed in the middle: a few tries, since it may be our own input that does it. */
  | { readonly kind: 'failed' }
  /** Over for good, and a new session may follow when the person wants one. */
  | { readonly kind: 'over' }
  /** The person has ended it. */
  | { readonly kind: 'ended' }
  /** Cannot succeed before something is changed. */
  | { readonly kind: 'endpoint' }
  | { readonly kind: 'token' };

const away: Verdict = { kind: 'away' };
const failed: Verdict = { kind: 'failed' };
const over: Verdict = { kind: 'over' };
const endpoint: Verdict = { kind: 'endpoint' };
const token: Verdict = { kind: 'token' };
/** A queue is not shorter within a second, and asking again at once makes it longer. */
const crowded: Verdict = { kind: 'away', leastMs: 5_000 };
/** Servers that count requests count these as well. */
const tooOften: Verdict = { kind: 'away', leastMs: 30_000 };

/** Every reason that the session gives by itself or has words for. */
const verdicts: Readonly<Record<string, Verdict>> = {
  // The line.
  connection_lost: away,
  closed: failed,
  closed_1005: failed,
  closed_1014: away,
  server_error: failed,
  unreadable: over,
  too_large: over,
  policy: token,
  // Coming to a session.
  silent: away,
  not_created: away,
  no_chat_in_legacy: endpoint,
  // While it is live.
  stalled: away,
  // What the server tells as the end.
  timeout: over,
  context_full: over,
  backend_error: failed,
  server_shutdown: away,
  error: failed,
  user_stop: over,
  stopped: over,
  client_closed: over,
  // What it tells as an error.
  queue_full: crowded,
  worker_busy: away,
  service_unavailable: away,
  worker_connect_failed: away,
  session_failed: failed,
};

/** Reasons with a verdict of their own; `refused` and `unreachable` have one by their particulars. */
export const judgedReasons: readonly string[] = [
  ...Object.keys(verdicts),
  'refused',
  'unreachable',
];

export function verdictOf({ reason, by, status, lasting }: JudgedEnding): Verdict {
  if (reason === 'no_chat_in_legacy') return endpoint;
  if (by === 'client') return { kind: 'ended' };
  if (reason === 'refused') return verdictOfStatus(status);
  if (reason === 'unreachable') return lasting === true ? endpoint : away;
  const known = Object.hasOwn(verdicts, reason) ? verdicts[reason] : undefined;
  if (known !== undefined) return known;
  // The settings were refused, and would be again.
  if (/^(?:unknown|invalid|missing|unsupported)_/u.test(reason)) return endpoint;
  // A reason nobody knows may be that the server wants this client gone: it is not pestered.
  return by === 'network' ? away : over;
}

/** Of what a session tells as `closed`, what this goes by. */
export type JudgedEnding = Pick<
  Extract<SessionEvent, { event: 'closed' }>,
  'reason' | 'by' | 'status' | 'lasting'
>;

function verdictOfStatus(status = 0): Verdict {
  if (status === 401 || status === 403 || status === 407) return token;
  if (status === 429) return tooOften;
  if (status === 408 || status === 425) return away;
  // Not implemented, and a version of HTTP that is not spoken: so it will be tomorrow.
  if (status === 501 || status === 505) return endpoint;
  return status >= 500 ? away : endpoint;
}
