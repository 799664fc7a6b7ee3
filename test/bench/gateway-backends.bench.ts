import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { createBackendCodec } from '../../electron/gateway/backend.ts';
import { GatewayMetrics } from '../../electron/gateway/gateway-metrics.ts';
import { defaultGatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { serveGateway } from '../../electron/platform/gateway/gateway-server.ts';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';

const servers = 8;
const waiting = 200;
const seconds = 20;
const settlingMs = 5000;

/** The limit: 200 clients wait and 8 talk to model servers at real time, for less than 30 % of a core. */
export async function bench(): Promise<void> {
  // Servers and clients run in other processes, so that only the gateway is measured.
  const models = fork('test/bench/model-servers.mjs', [String(servers)]);
  const [ports] = (await once(models, 'message')) as [readonly number[]];
  for (const compressed of [false, true]) await measure(ports, compressed);
  await end(models);
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
  const served = await serveGateway(gateway, { port: 0, log: { write: () => undefined } });
  if (!served.ok) throw new Error(served.error.code);
  const clients = fork('test/bench/talking-clients.mjs', [
    served.value.url,
    String(servers + waiting),
    String(compressed),
  ]);
  await once(clients, 'message');
  await pause(settlingMs);
  const began = performance.now();
  const before = process.cpuUsage();
  await pause(seconds * 1000);
  const used = process.cpuUsage(before);
  const share = (used.user + used.system) / 1000 / (performance.now() - began);
  const report = once(clients, 'message');
  clients.send('report');
  const [counts] = (await report) as [
    { appends: number; sound: number; listens: number; worst: number },
  ];
  const { idle, queued } = gateway.status();
  process.stdout.write(
    [
      `${servers - idle} talking and ${queued} waiting clients, ${compressed ? 'compressed' : 'uncompressed'}, ${seconds} s`,
      `  ${(share * 100).toFixed(1)} % of a core in all threads`,
      `  ${counts.appends} appends, ${counts.listens} listens, ${counts.sound} seconds of sound, ` +
        `slowest answer after ${counts.worst.toFixed(0)} ms; ` +
        `RSS ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
      '',
    ].join('\n'),
  );
  await end(clients);
  await served.value.end();
}

async function end(process: ChildProcess): Promise<void> {
  process.disconnect();
  await once(process, 'exit');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    systemClock.after(ms, resolve);
  });
}
