import { fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createBackendCodec } from '../../electron/gateway/backend.ts';
import { GatewayMetrics } from '../../electron/gateway/gateway-metrics.ts';
import { defaultGatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { openGateway, type Gateway } from '../../electron/gateway/gateway.ts';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { printLine } from './bench-helpers.ts';
import { serveGateway } from '../../electron/platform/gateway/gateway-server.ts';

const servers = 8;
const waiting = 200;
const seconds = 20;
const settlingMs = 5000;

/** The limit: 200 clients wait and 8 talk to model servers at real time, for less than 30 % of a core. */
export async function bench(): Promise<void> {
  // The model servers run in another process, so that they are not measured.
  const models = fork('test/bench/model-servers.mjs', [String(servers), 'half']);
  const [ports] = (await once(models, 'message')) as [readonly number[]];
  for (const compressed of [false, true]) await measure(ports, compressed);
  models.disconnect();
  await once(models, 'exit');
}

async function measure(ports: readonly number[], compressed: boolean): Promise<void> {
  const gateway = openGateway(
    { ...defaultGatewayOptions, queueLimit: waiting },
    {
      clock: systemClock,
      random: Math.random,
      codec: createServerCodec(bufferBase64),
      pictures: fakePictures(),
      speech: { clips: [] },
      backends: {
        servers: ports.map((port) => connectBackend(new URL(`ws://127.0.0.1:${port}/backend`))),
        codec: createBackendCodec(bufferBase64),
        defaultVoice: new Float32Array(16_000),
        metrics: new GatewayMetrics(),
      },
    },
  );
  const plan = { clients: servers + waiting, compressed, settlingMs, seconds };
  const { coreShare, counts, idle, queued, rssMb } = await measureLoad(gateway, plan);
  const { appends, listens, sound, worst } = counts;
  printLine(
    `${servers - idle} talking and ${queued} waiting clients, ${compressed ? 'compressed' : 'uncompressed'}, ${seconds} s`,
  );
  printLine(`  ${(coreShare * 100).toFixed(1)} % of a core in all threads`);
  printLine(
    `  ${appends} appends, ${listens} listens, ${sound} seconds of sound, ` +
      `slowest answer after ${worst.toFixed(0)} ms; RSS ${rssMb.toFixed(0)} MB`,
  );
}

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
