import type { Outcome } from '../ports.ts';

/** What a person asked for cannot be done, and the message says why. It is no fault of Parley's. */
export class Refusal extends Error {}

/** The value, or a refusal with the problem's sentence. */
export function orRefuse<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Refusal(outcome.problem);
  return outcome.value;
}
