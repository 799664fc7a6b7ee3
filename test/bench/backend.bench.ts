import { fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { WebSocket } from 'ws';
import { createBackendCodec } from '../../electron/gateway/backend.ts';
import { defaultGatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { serveGateway } from '../../electron/platform/gateway/gateway-server.ts';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { median, quantile } from '../../shared/statistics.ts';

const rounds = 7;
const warmUpSteps = 20;
const measuredSteps = 200;

/**
 * Measures, by turns, the steps of a model server that answers at once, reached directly and through the gateway. Limit: in
 * the median round, the gateway may add at most 5 ms to the 95th percentile. Other programs on the machine slow both routes,
 * but the one through the gateway more, because the gateway is one more process.
 */
export async function bench(): Promise<void> {
  const server = fork('test/bench/model-servers.mjs', ['1', 'all']);
  const [[port]] = (await once(server, 'message')) as [readonly [number]];
  const address = new URL(`ws://127.0.0.1:${port}/backend`);
  const served = await serveGateway(gatewayInFront(address), {
    port: 0,
    log: { write: () => undefined },
  });
  if (!served.ok) throw new Error(served.error.code);
  const added: StepTimes[] = [];
  process.stdout.write(
    `${rounds} rounds of ${measuredSteps} steps of a model server without delay, each until a second of sound has arrived\n`,
  );
  for (let round = 0; round <= rounds; round += 1) {
    const direct = await measureSteps(address.href);
    const through = await measureSteps(`${served.value.url}?mode=video`);
    // The first round warms the compiler.
    if (round === 0) continue;
    added.push(subtract(through, direct));
    process.stdout.write(`  directly ${format(direct)}; through the gateway ${format(through)}\n`);
  }
  const inMedianRound = (of: (times: StepTimes) => number): number => median(added.map(of));
  process.stdout.write(
    `  added in the median round: ${format({
      median: inMedianRound((times) => times.median),
      p95: inMedianRound((times) => times.p95),
      processor: inMedianRound((times) => times.processor),
    })}\n`,
  );
  await served.value.end();
  server.disconnect();
  await once(server, 'exit');
}

interface StepTimes {
  readonly median: number;
  readonly p95: number;
  /** Processor milliseconds of this process per step. */
  readonly processor: number;
}

function subtract(one: StepTimes, other: StepTimes): StepTimes {
  return {
    median: one.median - other.median,
    p95: one.p95 - other.p95,
    processor: one.processor - other.processor,
  };
}

function format({ median, p95, processor }: StepTimes): string {
  return `${median.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, processor ${processor.toFixed(2)} ms`;
}

async function measureSteps(url: string): Promise<StepTimes> {
  const before = process.cpuUsage();
  const times = await stepTimes(url);
  const { user, system } = process.cpuUsage(before);
  return {
    median: median(times),
    p95: quantile(times, 0.95),
    processor: (user + system) / 1000 / (warmUpSteps + measuredSteps),
  };
}

function gatewayInFront(address: URL) {
  return openGateway(
    { ...defaultGatewayOptions, contextTokens: 4096 },
    {
      clock: systemClock,
      random: Math.random,
      codec: createServerCodec(bufferBase64),
      pictures: fakePictures(),
      speech: { clips: [] },
      backends: {
        servers: [connectBackend(address)],
        codec: createBackendCodec(bufferBase64),
        defaultVoice: new Float32Array(16_000),
      },
    },
  );
}

/** Sends appends with a second of sound and a picture, each after the answer to the one before. */
async function stepTimes(url: string): Promise<readonly number[]> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const audio = Buffer.from(new Float32Array(16_000).fill(0.1).buffer).toString('base64');
  const picture = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(40_000)]);
  const append = JSON.stringify({
    type: 'input.append',
    input: { audio, video_frames: [picture.toString('base64')] },
  });
  const times: number[] = [];
  await new Promise<void>((resolve, reject) => {
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.send(append);
    };
    socket.once('open', () => {
      socket.send('{"type":"session.init","payload":{}}');
    });
    socket.once('close', () => {
      reject(new Error('The session ended early.'));
    });
    socket.on('message', (data: Buffer) => {
      const head = data.toString('latin1', 0, 200);
      if (head.includes('session.created')) send();
      if (!head.includes('"audio"')) return;
      times.push(performance.now() - sentAt);
      if (times.length === warmUpSteps + measuredSteps) resolve();
      // Waits, because the message that ends this step has not arrived yet.
      else setTimeout(send, 5);
    });
  });
  socket.terminate();
  return times.slice(warmUpSteps);
}
