import type { Failure } from '../errors/app-error.ts';

/** The reply to every request. Expected failures are values, never exceptions. */
export type Reply<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** For a snapshot: how many notices the core had posted when it was taken. */
      readonly revision?: number | undefined;
    }
  | Failure;
