import type { AppError, Failure, Outcome } from '../errors/app-error.ts';
import { describeAppError } from '../i18n/en/errors.ts';

/** The answer to every request: expected failures are values, never exceptions. */
export type Reply<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** Of what is asked for whole: how many notices the core had posted when it was made. */
      readonly revision?: number | undefined;
    }
  | Failure;

export function successReply<Value>(value: Value, revision?: number): Reply<Value> {
  return { ok: true, value, ...(revision !== undefined && { revision }) };
}

/** What a person asked for cannot be done. It is no fault of Parley's. */
export class RequestRefusedError extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(describeAppError(error));
    this.error = error;
  }
}

/** The value, or a refusal with the error. */
export function unwrap<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new RequestRefusedError(outcome.error);
  return outcome.value;
}
