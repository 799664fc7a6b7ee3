import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface RunCost {
  readonly ms: number;
  readonly cpuMs: number;
  /** The longest delay of the event loop, from perf_hooks. */
  readonly pauseMs: number;
  /** The most processor time between two timer ticks; unlike the delay, it excludes other processes. */
  readonly busyMs: number;
  readonly megabytes: number;
}

const lookMs = 5;

function megabytesNow(): number {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

export async function measureRun(run: () => Promise<void>): Promise<RunCost> {
  globalThis.gc?.();
  const before = megabytesNow();
  const delay = monitorEventLoopDelay({ resolution: lookMs });
  const began = { at: performance.now(), cpu: process.cpuUsage() };
  let most = before;
  let busyMs = 0;
  let last = process.cpuUsage();
  const look = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    busyMs = Math.max(busyMs, (user + system) / 1000);
    most = Math.max(most, megabytesNow());
  }, lookMs);
  delay.enable();
  await run();
  delay.disable();
  clearInterval(look);
  const cpu = process.cpuUsage(began.cpu);
  return {
    ms: performance.now() - began.at,
    cpuMs: (cpu.user + cpu.system) / 1000,
    pauseMs: delay.max / 1e6,
    busyMs,
    megabytes: most - before,
  };
}
