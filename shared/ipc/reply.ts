import type { Failure } from '../errors/app-error.ts';

/** The answer to every request: expected failures are values, never exceptions. */
export type Reply<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** Of what is asked for whole: how many notices the core had posted when it was made. */
      readonly revision?: number | undefined;
    }
  | Failure;
