import {
  appError,
  type AppError,
  type ErrorCode,
  type SessionErrorCode,
} from '../../../shared/errors/app-error.ts';
import {
  reasonOf,
  type RefusedCode,
  refusedStatus,
  rootError,
} from '../../../shared/errors/session-reasons.ts';
import { encodeGeneration, type GenerationOptions } from '../../../shared/protocol/client-event.ts';
import type { SessionEvent } from '../session/session-event.ts';

/** What an ending says about trying again on one's own. */
type Verdict =
  /** Network or server are away for a while and come back: tried for minutes. */
  | { readonly kind: 'away'; readonly minDelayMs?: number }
  /** The server failed in the middle: a few tries, since it may be our own input that does it. */
  | { readonly kind: 'failed' }
  /** Over for good, and a new session may follow when the person wants one. */
  | { readonly kind: 'over' }
  /** The person has ended it. */
  | { readonly kind: 'ended' }
  /**
   * Cannot succeed before something is changed. `mayPass`: after a talk that was live it may well pass by
   * itself, because a network's login page or a proxy whose gateway restarts answers in the server's place.
   */
  | { readonly kind: 'endpoint' | 'token'; readonly mayPass?: boolean };

const away: Verdict = { kind: 'away' };
const failed: Verdict = { kind: 'failed' };
const over: Verdict = { kind: 'over' };
const endpoint: Verdict = { kind: 'endpoint' };
const token: Verdict = { kind: 'token' };
const otherAnswers: Verdict = { kind: 'endpoint', mayPass: true };
const otherForbids: Verdict = { kind: 'token', mayPass: true };
/** A queue is not shorter within a second, and asking again at once makes it longer. */
const crowded: Verdict = { kind: 'away', minDelayMs: 5_000 };
/** Servers that count requests count these as well. */
const tooOften: Verdict = { kind: 'away', minDelayMs: 30_000 };

/** All that a session itself ends for; what is not here stood in the way of a connection. */
const verdicts = {
  // The connection.
  connectionLost: away,
  speechLost: over,
  lostInSleep: away,
  talkCutByCrash: over,
  closedSilently: failed,
  serverFailed: failed,
  serverCannotRead: over,
  messageTooLarge: over,
  notAllowed: token,
  // Coming to a session.
  serverSilent: away,
  sessionNotCreated: away,
  noChatInLegacy: endpoint,
  settingsRefused: endpoint,
  fieldRefused: endpoint,
  // While it is live. A server that pours out would only do it again.
  serverMessageTooLarge: over,
  answerTooLong: over,
  soundTooLong: over,
  troublesWithoutEnd: over,
  serverStalled: away,
  // What the server gives as the end.
  timeLimitReached: over,
  memoryFull: over,
  modelFailed: failed,
  serverLeaving: away,
  serverGaveUp: failed,
  serverSaysUserStop: over,
  serverSaysStopped: over,
  serverSaysClientClosed: over,
  // A reason nobody knows may be that the server wants this client gone: it is not pestered.
  serverEnded: over,
  serverReports: over,
  notChat: over,
  eventUnreadable: over,
  // What it gives as an error.
  queueFull: crowded,
  workersBusy: away,
  serverNotReady: away,
  workerUnreachable: away,
  sessionFailed: failed,
  // By hand.
  endedByPerson: { kind: 'ended' },
  answerDone: { kind: 'ended' },
  sessionCut: { kind: 'ended' },
  tapeEndsInSentence: { kind: 'ended' },
  tapeEndsEarly: { kind: 'ended' },
} as const satisfies Readonly<Record<Exclude<SessionErrorCode, JudgedByFacts>, Verdict>>;

/** Of these the facts decide, or what they follow from. */
type JudgedByFacts = 'closedWithCode' | 'unreachable' | 'otherDialectHint' | RefusedCode;

export function verdictOf({ error, by, lasting }: JudgedEnding): Verdict {
  const root = rootError(error);
  if (root.code === 'noChatInLegacy') return endpoint;
  if (by === 'client') return { kind: 'ended' };
  const status = refusedStatus(root);
  if (status !== undefined) return verdictOfStatus(status);
  if (root.code === 'closedWithCode') return verdictOfClose(root.facts.code);
  if (isJudged(root.code)) return verdicts[root.code];
  if (lasting !== true) return away;
  return mendedByPerson.has(root.code) ? endpoint : otherAnswers;
}

/** No network's login page brings these about, and no time mends them. */
const mendedByPerson: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
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

/** Of what a session emits as `closed`, what this goes by. */
export type JudgedEnding = Pick<
  Extract<SessionEvent, { event: 'closed' }>,
  'error' | 'by' | 'lasting'
>;

function verdictOfClose(code: number): Verdict {
  if (code === 1005) return failed;
  return code === 1014 ? away : over;
}

function verdictOfStatus(status: number): Verdict {
  if (status === 403) return otherForbids;
  if (status === 401 || status === 407) return token;
  if (status === 429) return tooOften;
  if (status === 408 || status === 425) return away;
  // Not implemented, and a version of HTTP that is not spoken: so it will be tomorrow.
  if (status === 501 || status === 505) return endpoint;
  if (status === 404 || (status >= 300 && status < 400)) return otherAnswers;
  return status >= 500 ? away : endpoint;
}

/**
 * A server ended the session and named a field that it was sent in `config`: that one is to blame. No document says how
 * it would be named, so all that a server says is looked through, for the names of those that it got.
 */
export function refusedField(
  { error, by }: JudgedEnding,
  generation: GenerationOptions | undefined,
): { readonly error: AppError } | undefined {
  const { detail = '' } = rootError(error);
  if (by !== 'server' || detail === '' || generation === undefined) return undefined;
  const named = Object.keys(encodeGeneration(generation))
    .map((field) => ({ field, at: placeOf(field, detail) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  const [first] = named;
  if (first === undefined) return undefined;
  const { field } = first;
  return { error: appError('fieldRefused', { field, reason: reasonOf(error) }, { detail }) };
}

/** A name that could be a word of the sentence counts only where it is shown as a name. */
function placeOf(field: string, said: string): number {
  const name = field.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const alone = String.raw`(?<![\p{Script=Latin}\p{N}_])${name}(?![\p{Script=Latin}\p{N}_])`;
  const shown = String.raw`["'\x60“‘«「]${name}["'\x60”’»」]|\.${name}(?![\p{Script=Latin}\p{N}_])|${alone}\s*[=:]`;
  const told = String.raw`\b(?:arguments?|fields?|keys?|options?|parameters?|settings?)\s+${alone}`;
  const isName = /[_\d]|.[A-Z]/u.test(field);
  return said.search(new RegExp(isName ? alone : `${shown}|${told}`, 'u'));
}
