// A process of its own: Parley as the scenes have it, and a heart that says when it has missed beats.
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { run as runParley } from '../scenes/parley-process.ts';

const beatMs = 100;

/** How much later a beat came than it should have. */
export interface LateBeat {
  readonly lateMs: number;
}

export async function run(url: string, dialect: 'auto' | DialectName): Promise<void> {
  let last = performance.now();
  const heart = setInterval(() => {
    const now = performance.now();
    const lateMs = now - last - beatMs;
    last = now;
    if (lateMs > beatMs) process.send?.({ lateMs } satisfies LateBeat);
  }, beatMs);
  heart.unref();
  await runParley(url, dialect);
}
