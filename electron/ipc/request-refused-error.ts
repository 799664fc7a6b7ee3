import type { Why } from '../../shared/why.ts';
import type { Outcome } from '../ports/outcome.ts';

/** What a person asked for cannot be done, and the message says why. It is no fault of Parley's. */
export class RequestRefusedError extends Error {
  readonly why: Why | undefined;

  constructor(message: string, why?: Why) {
    super(message);
    this.why = why;
  }
}

/** The value, or a refusal with the problem's sentence. */
export function unwrap<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new RequestRefusedError(outcome.problem, outcome.why);
  return outcome.value;
}
