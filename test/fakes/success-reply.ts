import type { Reply } from '../../shared/ipc/bridge.ts';

export function successReply<Value>(value: Value, revision?: number): Reply<Value> {
  return { ok: true, value, ...(revision !== undefined && { revision }) };
}
