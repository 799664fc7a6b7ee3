import type { Outcome } from '../../shared/errors/app-error.ts';

/** Returns the value of an outcome, and throws its error. */
export function unwrap<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}
