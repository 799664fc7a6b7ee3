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

export type FactsOf<Code extends ErrorCode> = FactsIn<(typeof errorCodes)[Code]>;

interface ErrorContext {
  /** Technical, or the words of the server. */
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

/** Stored errors can have codes that this version does not know. */
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
