import { vi } from 'vitest';

/** Waits until the check passes. Vitest's own limit of a second is too short on a busy machine. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 15_000 });
}
