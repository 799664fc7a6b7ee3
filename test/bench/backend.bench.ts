import { fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { WebSocket } from 'ws';
import { createBackendCodec } from '../../electron/gateway/backend-codec.ts';
import { defaultGatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { serveGateway } from '../../electron/platform/gateway/gateway-server.ts';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';

const warmUpSteps = 50;
const measuredSteps = 400;

/**
 * Compares a model server that answers at once, spoken to directly and through the gateway. The limit: 5 ms more in
 * 95 of 100 steps.
 */
export async function bench(): Promise<void> {
  const server = fork('test/bench/instant-backend.mjs');
  const [port] = (await once(server, 'message')) as [number];
  const address = new URL(`ws://127.0.0.1:${port}/backend`);
  const direct = await stepTimes(address.href);
  const served = await serveGateway(gatewayInFront(address), {
    port: 0,
    log: { write: () => undefined },
  });
  if (!served.ok) throw new Error(served.error.code);
  const through = await stepTimes(`${served.value.url}?mode=video`);
  const row = (name: string, times: readonly number[]): string =>
    `  ${name}  ${at(times, 0.5).toFixed(2)} ms  (95 of 100 under ${at(times, 0.95).toFixed(2)} ms)`;
  process.stdout.write(
    [
      `${measuredSteps} steps of a model server that answers at once, until a second of sound has come`,
      row('directly    ', direct),
      row('by a gateway', through),
      `  added ${(at(through, 0.5) - at(direct, 0.5)).toFixed(2)} ms, ` +
        `p95 ${(at(through, 0.95) - at(direct, 0.95)).toFixed(2)} ms`,
      '',
    ].join('\n'),
  );
  await served.value.end();
  server.disconnect();
  await once(server, 'exit');
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
      // The next turn of the event loop: the end of the step is still on its way.
      else setTimeout(send, 5);
    });
  });
  socket.terminate();
  return times.slice(warmUpSteps).toSorted((a, b) => a - b);
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? 0;
