import type { Reply } from '../../shared/ipc/bridge.ts';

/** A reply of the core with a value. */
export function successReply<Value>(value: Value, revision?: number): Reply<Value> {
  return { ok: true, value, ...(revision !== undefined && { revision }) };
}
