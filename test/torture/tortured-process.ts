// A child process: Parley as in the scenes, with a heartbeat that reports late beats.
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { run as runParley } from '../scenes/parley-process.ts';

const beatMs = 100;

export interface LateBeat {
  readonly lateMs: number;
}

export async function run(url: string, dialect: 'auto' | DialectName): Promise<void> {
  let last = performance.now();
  const heartbeat = setInterval(() => {
    const now = performance.now();
    const lateMs = now - last - beatMs;
    last = now;
    if (lateMs > beatMs) process.send?.({ lateMs } satisfies LateBeat);
  }, beatMs);
  heartbeat.unref();
  await runParley(url, dialect);
}
