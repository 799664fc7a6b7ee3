import type { Failure } from '../../shared/errors/app-error.ts';

export type Outcome<Value> = { readonly ok: true; readonly value: Value } | Failure;
