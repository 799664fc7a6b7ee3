import { mediaErrors, requestErrors } from './request-error-codes.ts';
import {
  answerErrors,
  connectionErrors,
  type FactsIn,
  sessionErrors,
} from './session-error-codes.ts';
import { settingsErrors, storageErrors } from './storage-error-codes.ts';

export type FactsOf<Code extends ErrorCode> = FactsIn<(typeof errorCodes)[Code]>;

interface ErrorContext {
  /** Technical, or what the server said; nobody needs it to understand. */
  readonly detail?: string | undefined;
  /** What this follows from, and is said before it. */
  readonly cause?: AppError | undefined;
}

interface ErrorOf<Code extends ErrorCode> extends ErrorContext {
  readonly code: Code;
  readonly facts: FactsOf<Code>;
}

/** What goes wrong, from where it happens to where a person reads it in their language. */
export type AppError = { readonly [Code in ErrorCode]: ErrorOf<Code> }[ErrorCode];

export interface Failure {
  readonly ok: false;
  readonly error: AppError;
}

type Rest<Code extends ErrorCode> = keyof (typeof errorCodes)[Code] extends never
  ? readonly [facts?: FactsOf<Code>, context?: ErrorContext]
  : readonly [facts: FactsOf<Code>, context?: ErrorContext];

export function appError<Code extends ErrorCode>(
  code: Code,
  ...[facts, { detail, cause } = {}]: Rest<Code>
): AppError {
  const error = {
    code,
    facts: facts ?? {},
    ...(detail !== undefined && detail !== '' && { detail }),
    ...(cause !== undefined && { cause }),
  };
  // That the facts are those of the code is in the parameters, and lost in the union.
  return error as AppError;
}

/** An expected failure, as a value. */
export function failure<Code extends ErrorCode>(code: Code, ...rest: Rest<Code>): Failure {
  return { ok: false, error: appError(code, ...rest) };
}

/** What was kept by this or another version may have codes that there are not, or not any more. */
export function isAppError(value: unknown): value is AppError {
  if (typeof value !== 'object' || value === null) return false;
  const { code, facts, detail, cause } = value as Readonly<Record<string, unknown>>;
  if (detail !== undefined && typeof detail !== 'string') return false;
  if (cause !== undefined && !isAppError(cause)) return false;
  return typeof code === 'string' && hasFactsOf(code, facts);
}

function hasFactsOf(code: string, facts: unknown): boolean {
  if (!Object.hasOwn(errorCodes, code) || typeof facts !== 'object' || facts === null) return false;
  const types = Object.entries(errorCodes[code as ErrorCode]);
  return types.every(([name, type]) => typeof Reflect.get(facts, name) === type);
}

/** The same with every text of its facts and details changed: secrets taken out, for one. */
export function mapErrorText(error: AppError, change: (text: string) => string): AppError {
  const { code, facts, detail, cause } = error;
  const changed = Object.entries(facts).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? change(value) : value,
  ]);
  return {
    code,
    facts: Object.fromEntries(changed) as unknown,
    ...(detail !== undefined && { detail: change(detail) }),
    ...(cause !== undefined && { cause: mapErrorText(cause, change) }),
  } as AppError;
}

/** A value, or an error that was expected. */
export type Outcome<Value> = { readonly ok: true; readonly value: Value } | Failure;

/** What becomes of the value, where there is one. */
export function mapOutcome<From, To>(
  outcome: Outcome<From>,
  become: (value: From) => To,
): Outcome<To> {
  return outcome.ok ? { ok: true, value: become(outcome.value) } : outcome;
}

/** It was done, and there is nothing to hand back. */
export const done = { ok: true, value: undefined } as const;

/** Every code with its facts. Each has its sentence in `shared/i18n/<language>`. */
export const errorCodes = {
  ...connectionErrors,
  ...sessionErrors,
  ...answerErrors,
  ...mediaErrors,
  ...storageErrors,
  ...settingsErrors,
  ...requestErrors,
};

export type ErrorCode = keyof typeof errorCodes;

export type CertificateFault = Extract<ErrorCode, `certificate${string}`>;
export type SessionErrorCode = keyof typeof sessionErrors;

/** Of these the detail is what the server itself said, and is shown behind the sentence. */
const saidByServer: ReadonlySet<string> = new Set(
  [sessionErrors, answerErrors].flatMap((codes) => Object.keys(codes)),
);

export function isCertificateFault(code: ErrorCode): code is CertificateFault {
  return code.startsWith('certificate');
}

function isDetailFromServer(code: ErrorCode): boolean {
  // What cannot be read is described by Parley, for the log.
  return saidByServer.has(code) && code !== 'eventUnreadable';
}

/** The words of one language. */
export interface ErrorTable {
  readonly codes: Readonly<Record<ErrorCode, string>>;
  /** What the server itself said, behind the sentence. */
  readonly said: string;
  /** Two sentences, one after the other. */
  readonly andThen: string;
}

/** What went wrong in a person's language: what it follows from, then what it is and what to do. */
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

/** Facts are put in as they are, whatever stands in them. */
function fill(text: string, facts: object): string {
  return text.replaceAll(/\{\{(\w+)\}\}/gu, (_whole, name: string) =>
    String(Reflect.get(facts, name)),
  );
}
