import type { Failure } from '../../shared/errors/app-error.ts';

/** A value, or an error that was expected. */
export type Outcome<Value> = { readonly ok: true; readonly value: Value } | Failure;
