import { appError, type AppError, type SessionErrorCode } from './app-error.ts';

/** The words of the protocol, and of `parley --json`, for what ends a session or goes wrong in it. */
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

/** Only we end for these, under a word that means something else from a server. */
const ours = [
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

type OurCode = (typeof ours)[number];
type ServerCode = Exclude<CodeWithReason, OurCode>;

const codes: ReadonlyMap<string, ServerCode> = new Map(
  (Object.keys(reasons) as CodeWithReason[])
    .filter((code): code is ServerCode => !ours.some((own) => own === code))
    .map((code) => [reasons[code], code]),
);

/** The word for it that is on the wire and in the terminal's JSON. */
export function reasonOf(error: AppError): string {
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
  // All that has no word of its own stood in the way of a connection.
  return hasReason(code) ? reasons[code] : 'unreachable';
}

function hasReason(code: string): code is CodeWithReason {
  return Object.hasOwn(reasons, code);
}

/** What a session ended for, by the server's word for it; `said` is what the server adds. */
export function sessionError(reason: string, said = ''): AppError {
  const detail = shortened(said);
  const code = codes.get(reason);
  if (code !== undefined) return appError(code, {}, { detail });
  const facts = { reason: shortened(reason) };
  const more = { detail: detail === facts.reason ? '' : detail };
  return isAboutSettings(reason)
    ? appError('settingsRefused', facts, more)
    : appError('serverEnded', facts, more);
}

/** Servers have many codes for what they do not like in the settings. */
export function isAboutSettings(reason: string): boolean {
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

/** The HTTP status of an answer that came instead of a connection. */
export function refusedStatus({ code, facts }: AppError): number | undefined {
  return isRefusedCode(code) && 'status' in facts ? facts.status : undefined;
}

/** An HTTP answer instead of a connection. */
export function refusedError(status: number, body: string): AppError {
  if (isWebPage(body) && !hasOwnMeaning(status)) return appError('refusedByWeb', { status });
  return appError(
    refusedCode(status),
    { status },
    { detail: isWebPage(body) ? '' : shortened(body) },
  );
}

/** A page for people: what stands in it helps nobody here, and says whose it is. */
function isWebPage(body: string): boolean {
  return /^\s*(?:<!doctype html|<html|<head|<title)/iu.test(body);
}

/** Gateways say these in pages, too: who may come in, how often, and that the server behind them is away. */
function hasOwnMeaning(status: number): boolean {
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

/** What all of it follows from. */
export function rootError(error: AppError): AppError {
  return error.cause === undefined ? error : rootError(error.cause);
}

const maxCharacters = 300;

/** Foreign text in one line, short enough to be read. */
export function shortened(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line;
}

/** All words for what ends a session or goes wrong in it. */
export const wordsOfReasons: readonly string[] = Object.values(reasons);
