import type { AppError, Outcome } from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import { type Answer, toOutcome } from '../../shared/ipc/request-definition.ts';

/** Returns the value of an outcome, and throws its error. */
export function unwrap<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}

/** A handler's refusal, thrown. */
export class RefusedError extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(describeAppError(error));
    this.error = error;
  }
}

/** Returns a handler's value, and throws its refusal. */
export async function unwrapAnswer<Value>(
  answer: Answer<Value> | Promise<Answer<Value>>,
): Promise<Value> {
  const outcome = toOutcome(await answer);
  if (!outcome.ok) throw new RefusedError(outcome.error);
  return outcome.value;
}
