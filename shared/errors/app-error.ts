import {
  cursorErrors,
  mediaErrors,
  memoryErrors,
  requestErrors,
  settingsErrors,
  storageErrors,
  toolErrors,
} from './error-codes.ts';
import {
  answerErrors,
  connectionErrors,
  type FactsIn,
  modelErrors,
  sessionErrors,
} from './server-error-codes.ts';
import { toOneLine } from '../text.ts';

export type FactsOf<Code extends ErrorCode> = FactsIn<(typeof errorCodes)[Code]>;

interface ErrorContext {
  /** A technical detail, or the server's own words. */
  readonly detail?: string | undefined;
  /** The underlying error, shown before this one. */
  readonly cause?: AppError | undefined;
}

interface ErrorOf<Code extends ErrorCode> extends ErrorContext {
  readonly code: Code;
  readonly facts: FactsOf<Code>;
}

/** An expected error. Its code and facts become a sentence in the user's language. */
export type AppError = { readonly [Code in ErrorCode]: ErrorOf<Code> }[ErrorCode];

export interface Failure {
  readonly ok: false;
  readonly error: AppError;
}

type ErrorArguments<Code extends ErrorCode> = keyof (typeof errorCodes)[Code] extends never
  ? readonly [facts?: FactsOf<Code>, context?: ErrorContext]
  : readonly [facts: FactsOf<Code>, context?: ErrorContext];

export function appError<Code extends ErrorCode>(
  code: Code,
  ...[facts, { detail, cause } = {}]: ErrorArguments<Code>
): AppError {
  const error = {
    code,
    facts: facts ?? {},
    ...(detail !== undefined && detail !== '' && { detail }),
    ...(cause !== undefined && { cause }),
  };
  // The parameter type guarantees matching facts; the union type loses this.
  return error as AppError;
}

/** An expected failure, as a value. */
export function failure<Code extends ErrorCode>(
  code: Code,
  ...rest: ErrorArguments<Code>
): Failure {
  return { ok: false, error: appError(code, ...rest) };
}

/** False for a stored error with a code that this version does not know. */
export function isAppError(value: unknown): value is AppError {
  if (typeof value !== 'object' || value === null) return false;
  const { code, facts, detail, cause } = value as Readonly<Record<string, unknown>>;
  if (detail !== undefined && typeof detail !== 'string') return false;
  if (cause !== undefined && !isAppError(cause)) return false;
  return typeof code === 'string' && hasValidFacts(code, facts);
}

function hasValidFacts(code: string, facts: unknown): boolean {
  if (!Object.hasOwn(errorCodes, code) || typeof facts !== 'object' || facts === null) return false;
  const types = Object.entries(errorCodes[code as ErrorCode]);
  return types.every(([name, type]) => typeof Reflect.get(facts, name) === type);
}

/** Applies `transform` to every text of facts and details, for example to redact secrets. */
export function mapErrorText(error: AppError, transform: (text: string) => string): AppError {
  const { code, facts, detail, cause } = error;
  const changed = Object.entries(facts).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? transform(value) : value,
  ]);
  return {
    code,
    facts: Object.fromEntries(changed) as unknown,
    ...(detail !== undefined && { detail: transform(detail) }),
    ...(cause !== undefined && { cause: mapErrorText(cause, transform) }),
  } as AppError;
}

/** A value, or an error that was expected. */
export type Outcome<Value> = { readonly ok: true; readonly value: Value } | Failure;

export function mapOutcome<From, To>(
  outcome: Outcome<From>,
  transform: (value: From) => To,
): Outcome<To> {
  return outcome.ok ? { ok: true, value: transform(outcome.value) } : outcome;
}

/** Success without a value. */
export const done = { ok: true, value: undefined } as const;

/** Every code with its facts. Each has a sentence in `shared/i18n/<language>`. */
export const errorCodes = {
  ...connectionErrors,
  ...sessionErrors,
  ...answerErrors,
  ...mediaErrors,
  ...storageErrors,
  ...settingsErrors,
  ...requestErrors,
  ...modelErrors,
  ...cursorErrors,
  ...memoryErrors,
  ...toolErrors,
};

export type ErrorCode = keyof typeof errorCodes;

export type CertificateFault = Extract<ErrorCode, `certificate${string}`>;
export type SessionErrorCode = keyof typeof sessionErrors;

/** For these codes the detail holds the server's own words and is shown after the sentence. */
const codesWithServerDetail: ReadonlySet<string> = new Set(
  [sessionErrors, answerErrors].flatMap((codes) => Object.keys(codes)),
);

export function isCertificateFault(code: ErrorCode): code is CertificateFault {
  return code.startsWith('certificate');
}

function isDetailFromServer(code: ErrorCode): boolean {
  // The detail of an unreadable event comes from Parley and is for the log.
  return codesWithServerDetail.has(code) && code !== 'eventUnreadable';
}

/** Error texts of one language. */
export interface ErrorTable {
  readonly codes: Readonly<Record<ErrorCode, string>>;
  /** Template that quotes the server. */
  readonly said: string;
  /** Template that joins two sentences. */
  readonly andThen: string;
}

/** The message for the user: first the cause, then the error and its remedy. */
export function errorMessage(error: AppError, table: ErrorTable): string {
  const { code, facts, detail, cause } = error;
  const own = fill(table.codes[code], facts);
  const message =
    detail !== undefined && isDetailFromServer(code)
      ? fill(table.andThen, { first: own, next: fill(table.said, { said: detail }) })
      : own;
  if (cause === undefined) return message;
  return fill(table.andThen, { first: errorMessage(cause, table), next: message });
}

/** A fact that contains a placeholder is not expanded. */
function fill(text: string, facts: object): string {
  return text.replaceAll(/\{\{(\w+)\}\}/gu, (_whole, name: string) =>
    String(Reflect.get(facts, name)),
  );
}

/** The code of a system or library error, such as `ENOENT`, or an empty string. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string') return code;
  // Connecting to several addresses at once fails with an AggregateError.
  return error instanceof AggregateError ? errorCode(error.errors[0]) : '';
}

/** The first line of the message of anything thrown. The stack is left out. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n', 1)[0] ?? text;
}

/** Reason words of errors, on the wire and in `parley --json`. */
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
