import type { AppError } from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import { type Answer, outcomeOf } from '../../shared/ipc/request-definition.ts';

/** What a request that cannot be done is refused with. */
export class RefusedError extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(describeAppError(error));
    this.error = error;
  }
}

/** The value that a handler answers; a refusal is thrown. */
export async function unwrapAnswer<Value>(
  answer: Answer<Value> | Promise<Answer<Value>>,
): Promise<Value> {
  const outcome = outcomeOf(await answer);
  if (!outcome.ok) throw new RefusedError(outcome.error);
  return outcome.value;
}
