import type { AppError } from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/describe-app-error.ts';
import type { Outcome } from '../ports/outcome.ts';

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
