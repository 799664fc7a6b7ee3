import { fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { defaultGatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import { serveGateway } from '../../electron/platform/gateway/gateway-server.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';

const clients = 50;
const seconds = 15;
const settlingMs = 3000;

/** The limit: the server handles 50 talking clients on one core, uncompressed and compressed. */
export async function bench(): Promise<void> {
  for (const compressed of [false, true]) await measure(compressed);
}

async function measure(compressed: boolean): Promise<void> {
  const speech = await loadDemoSpeech('resources/speech');
  if (!speech.ok) throw new Error(speech.error.code);
  const gateway = openGateway(
    { ...defaultGatewayOptions, workers: clients },
    {
      clock: systemClock,
      random: Math.random,
      codec: createServerCodec(bufferBase64),
      pictures: fakePictures(),
      speech: speech.value,
    },
  );
  const log = { write: () => undefined };
  const served = await serveGateway(gateway, { port: 0, log });
  if (!served.ok) throw new Error(served.error.code);
  // The clients run in another process, so that only the server is measured.
  const talkers = fork('test/bench/talking-clients.mjs', [
    served.value.url,
    String(clients),
    String(compressed),
  ]);
  await once(talkers, 'message');
  await pause(settlingMs);
  const began = performance.now();
  const before = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  await pause(seconds * 1000);
  const used = process.cpuUsage(before);
  const share = (used.user + used.system) / 1000 / (performance.now() - began);
  const busy = performance.eventLoopUtilization(loop).utilization;
  const report = once(talkers, 'message');
  talkers.send('report');
  const [counts] = (await report) as [
    { appends: number; sound: number; listens: number; worst: number },
  ];
  process.stdout.write(
    [
      `${clients} talking clients, ${compressed ? 'compressed' : 'uncompressed'}, ${seconds} s`,
      `  ${percent(share)} of a core in all threads, the event loop busy ${percent(busy)}`,
      `  ${counts.appends} appends, ${counts.listens} listens, ${counts.sound} s of sound`,
      `  slowest answer after ${counts.worst.toFixed(0)} ms, ` +
        `of which ${defaultGatewayOptions.stepMs} are the model's; ` +
        `RSS ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
      '',
    ].join('\n'),
  );
  talkers.disconnect();
  await once(talkers, 'exit');
  await served.value.end();
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    systemClock.after(ms, resolve);
  });
}
