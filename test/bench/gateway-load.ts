import { fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Gateway } from '../../electron/gateway/gateway.ts';
import { serveGateway } from '../../electron/platform/gateway/gateway-server.ts';

interface LoadPlan {
  readonly clients: number;
  readonly compressed: boolean;
  /** Time before the measurement, in which the clients connect. */
  readonly settlingMs: number;
  readonly seconds: number;
}

/** The counts of talking-clients.mjs; `worst` is the slowest answer in milliseconds. */
interface ClientCounts {
  readonly appends: number;
  readonly sound: number;
  readonly listens: number;
  readonly worst: number;
}

/** Serves a gateway to talking clients, which run in another process, so that only the gateway is measured. */
export async function measureLoad(
  gateway: Gateway,
  { clients, compressed, settlingMs, seconds }: LoadPlan,
) {
  const served = await serveGateway(gateway, { port: 0, log: { write: () => undefined } });
  if (!served.ok) throw new Error(served.error.code);
  const talkers = fork('test/bench/talking-clients.mjs', [
    served.value.url,
    String(clients),
    String(compressed),
  ]);
  await once(talkers, 'message');
  await wait(settlingMs);
  const began = performance.now();
  const before = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  await wait(seconds * 1000);
  const { user, system } = process.cpuUsage(before);
  const coreShare = (user + system) / 1000 / (performance.now() - began);
  const loopShare = performance.eventLoopUtilization(loop).utilization;
  const report = once(talkers, 'message');
  talkers.send('report');
  const [counts] = (await report) as [ClientCounts];
  const { idle, queued } = gateway.status();
  talkers.disconnect();
  await once(talkers, 'exit');
  await served.value.end();
  const rssMb = process.memoryUsage().rss / 1e6;
  return { coreShare, loopShare, counts, idle, queued, rssMb };
}
