import type { Failure } from '../errors/app-error.ts';

/** The answer to every request: expected failures are values, never exceptions. */
export type Reply<Value> = { readonly ok: true; readonly value: Value } | Failure;

export function successReply<Value>(value: Value): Reply<Value> {
  return { ok: true, value };
}
