import { vi } from 'vitest';

/** Comes true before long. Vitest by itself gives up after a second, which a busy machine may need. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 15_000 });
}
