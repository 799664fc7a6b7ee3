import type { Why } from '../why.ts';

/** Why a request got no value. `code` is for programs, `message` is a sentence for people. */
export interface ReplyError {
  readonly code: 'unknown_request' | 'invalid_input' | 'refused' | 'failed' | 'disconnected';
  readonly message: string;
  readonly why?: Why | undefined;
}

/** The answer to every request: expected failures are values, never exceptions. */
export type Reply<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** Of what is asked for whole: how many notices the core had posted when it was made. */
      readonly revision?: number | undefined;
    }
  | { readonly ok: false; readonly error: ReplyError };

export function successReply<Value>(value: Value, revision?: number): Reply<Value> {
  return { ok: true, value, ...(revision !== undefined && { revision }) };
}

export function failedReply(code: ReplyError['code'], message: string, why?: Why): Reply<never> {
  return { ok: false, error: { code, message, ...(why !== undefined && { why }) } };
}
