import { appError, type AppError, type SessionErrorCode } from './app-error.ts';
import { toOneLine } from '../text.ts';

/** Reason words on the wire and in `parley --json`. */
const reasons = {
  endedByPerson: 'user_stop',
  answerDone: 'turn_done',
  timeLimitReached: 'timeout',
  memoryFull: 'context_full',
  modelFailed: 'backend_error',
  serverLeaving: 'server_shutdown',
  serverGaveUp: 'error',
  serverSaysUserStop: 'user_stop',
  serverSaysStopped: 'stopped',
  serverSaysClientClosed: 'client_closed',
  queueFull: 'queue_full',
  workersBusy: 'worker_busy',
  serverNotReady: 'service_unavailable',
  workerUnreachable: 'worker_connect_failed',
  sessionFailed: 'session_failed',
  connectionLost: 'connection_lost',
  sessionCut: 'cut',
  lostInSleep: 'connection_lost',
  talkCutByCrash: 'parley_crashed',
  tapeEndsInSentence: 'tape_cut',
  tapeEndsEarly: 'tape_cut',
  speechLost: 'speech_lost',
  closedSilently: 'closed',
  serverFailed: 'server_error',
  serverCannotRead: 'unreadable',
  notAllowed: 'policy',
  messageTooLarge: 'too_large',
  serverMessageTooLarge: 'server_too_large',
  answerTooLong: 'text_flood',
  soundTooLong: 'sound_flood',
  troublesWithoutEnd: 'error_flood',
  serverSilent: 'silent',
  sessionNotCreated: 'not_created',
  serverStalled: 'stalled',
  unreachable: 'unreachable',
  noChatInLegacy: 'no_chat_in_legacy',
  notChat: 'not_chat',
  eventUnreadable: 'malformed',
} as const satisfies Readonly<Partial<Record<SessionErrorCode, string>>>;

type CodeWithReason = keyof typeof reasons;

/** Reasons that only the client gives. From a server, the same word means something else. */
const clientOnlyCodes = [
  'endedByPerson',
  'answerDone',
  'sessionCut',
  'lostInSleep',
  'serverMessageTooLarge',
  'answerTooLong',
  'soundTooLong',
  'troublesWithoutEnd',
  'talkCutByCrash',
  'tapeEndsInSentence',
  'tapeEndsEarly',
  'speechLost',
] as const satisfies readonly CodeWithReason[];

type ClientOnlyCode = (typeof clientOnlyCodes)[number];
type ServerCode = Exclude<CodeWithReason, ClientOnlyCode>;

const codesByReason: ReadonlyMap<string, ServerCode> = new Map(
  (Object.keys(reasons) as CodeWithReason[])
    .filter((code): code is ServerCode => !clientOnlyCodes.some((own) => own === code))
    .map((code) => [reasons[code], code]),
);

/** The reason word of an error, on the wire and in `parley --json`. */
export function wireReason(error: AppError): string {
  const { code, facts } = rootError(error);
  if (code === 'closedWithCode') return `closed_${facts.code}`;
  if (
    code === 'settingsRefused' ||
    code === 'fieldRefused' ||
    code === 'serverEnded' ||
    code === 'serverReports'
  ) {
    return facts.reason;
  }
  if (isRefusedCode(code)) return 'refused';
  // Codes without a reason word are connection failures.
  return hasReason(code) ? reasons[code] : 'unreachable';
}

function hasReason(code: string): code is CodeWithReason {
  return Object.hasOwn(reasons, code);
}

/** The error for a reason word from the server. `serverText` becomes the detail. */
export function sessionError(reason: string, serverText = ''): AppError {
  const detail = truncateLine(serverText);
  const code = codesByReason.get(reason);
  if (code !== undefined) return appError(code, {}, { detail });
  const facts = { reason: truncateLine(reason) };
  const more = { detail: detail === facts.reason ? '' : detail };
  return isSettingsReason(reason)
    ? appError('settingsRefused', facts, more)
    : appError('serverEnded', facts, more);
}

/** Servers have many reason words for rejected settings. */
export function isSettingsReason(reason: string): boolean {
  return /^(?:unknown|invalid|missing|unsupported)_/u.test(reason);
}

const refusedCodes = [
  'refusedUnknown',
  'refusedForbidden',
  'refusedNotFound',
  'refusedTooOften',
  'refusedForNow',
  'refusedByWeb',
  'refusedOtherwise',
] as const satisfies readonly SessionErrorCode[];

export type RefusedCode = (typeof refusedCodes)[number];

function isRefusedCode(code: string): boolean {
  return refusedCodes.some((refused) => refused === code);
}

/** The HTTP status, if the server refused the connection. */
export function refusedStatus({ code, facts }: AppError): number | undefined {
  return isRefusedCode(code) && 'status' in facts ? facts.status : undefined;
}

/** The error for an HTTP response in place of a connection. */
export function refusedError(status: number, body: string): AppError {
  if (isWebPage(body) && !isMeaningfulStatus(status)) return appError('refusedByWeb', { status });
  return appError(
    refusedCode(status),
    { status },
    { detail: isWebPage(body) ? '' : truncateLine(body) },
  );
}

/** An HTML page. Its content does not help the user, and unless its status is meaningful, no gateway answered. */
function isWebPage(body: string): boolean {
  return /^\s*(?:<!doctype html|<html|<head|<title)/iu.test(body);
}

/** Gateways send these statuses with an HTML page too: authentication, rate limit, server unavailable. */
function isMeaningfulStatus(status: number): boolean {
  return [401, 403, 407, 429].includes(status) || status >= 500;
}

function refusedCode(status: number): RefusedCode {
  switch (status) {
    case 401:
      return 'refusedUnknown';
    case 403:
      return 'refusedForbidden';
    case 404:
      return 'refusedNotFound';
    case 429:
      return 'refusedTooOften';
    default:
      return status >= 500 ? 'refusedForNow' : 'refusedOtherwise';
  }
}

/** The innermost cause. */
export function rootError(error: AppError): AppError {
  return error.cause === undefined ? error : rootError(error.cause);
}

const maxCharacters = 300;

/** Joins external text to one line of at most 300 characters, and an ellipsis if it was longer. */
export function truncateLine(text: string): string {
  const line = toOneLine(text);
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line;
}

export const knownReasons: readonly string[] = Object.values(reasons);
