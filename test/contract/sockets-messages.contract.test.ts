import { afterEach, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { RecordingListener } from '../fakes/recording-listener.ts';
import { type Script, scriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts';
import { selfSigned } from '../fakes/self-signed.ts';

const certificate = selfSigned();

let server: ScriptedServer | undefined;

afterEach(async () => {
  await server?.end();
  server = undefined;
});

describe.each([
  { name: 'a WebSocket', tls: undefined },
  { name: 'a WebSocket over TLS', tls: certificate },
])('$name', ({ tls }) => {
  async function connect(
    accepted: (peer: WebSocket) => void,
    mode = 'audio',
  ): Promise<RecordingListener> {
    server = await scriptedServer({ tls, accepted });
    const url = `${tls ? 'wss' : 'ws'}://localhost:${server.port}/v1/realtime`;
    const endpoint = { url, headers: {}, query: {}, insecure: false };
    const listener = new RecordingListener();
    createWebSockets({ ...endpoint, fingerprint: tls?.fingerprint }).connect(mode, listener);
    return listener;
  }

  it.each([
    ['uncompressed', 'audio', 6, false],
    ['compressed', 'video', 6, true],
    ['uncompressed', 'chat', 16, false],
    ['compressed', 'chat', 16, true],
  ])(
    'accepts %s messages in %s up to %d MiB, and closes at a larger one',
    async (_how, mode, mib, compress) => {
      const largest = ' '.repeat(mib * 2 ** 20);
      const listener = await connect((peer) => {
        peer.send(largest, { compress });
        peer.send(`${largest} `, { compress });
        peer.send('too late');
        // A hostile peer never completes the closing handshake.
        peer.pause();
      }, mode);
      expect(await listener.end()).toEqual({
        kind: 'closed',
        code: 1009,
        reason: 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
      });
      expect(listener.log.length).toBe(3);
      expect(listener.log[1] === largest).toBe(true);
    },
  );

  it('lets timers run between messages that arrive together', async () => {
    const listener = await connect((peer) => {
      for (let count = 0; count < 500; count += 1) peer.send('x', { compress: false });
    });
    await listener.reached(2);
    const turns: number[] = [];
    while (listener.log.length < 501) {
      await new Promise(setImmediate);
      turns.push(listener.log.length);
    }
    const steps = turns.map((count, index) => count - (turns[index - 1] ?? count));
    expect(Math.max(...steps)).toBeLessThanOrEqual(2);
  });
});

const secrets = ['token-of-mine', 'header-of-mine', 'field-of-mine'];

async function logOf(script: Script): Promise<string> {
  server = await scriptedServer(script);
  const listener = new RecordingListener();
  const [token, header = '', field = ''] = secrets;
  const url = `ws://127.0.0.1:${server.port}/v1/realtime`;
  const endpoint = {
    url,
    token,
    headers: { 'X-Key': header },
    query: { key: field },
    insecure: false,
  };
  createWebSockets(endpoint).connect('audio', listener);
  await listener.end();
  return JSON.stringify(listener.log);
}

const echo = `you sent ${secrets.join(' and ')}`;

it.each<[string, Script]>([
  [
    'a refusal',
    {
      upgrade: (line) => {
        line.end(
          `HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: ${echo.length}\r\n\r\n${echo}`,
        );
      },
    },
  ],
  [
    'a frame',
    {
      accepted: (socket) => {
        socket.send(JSON.stringify({ type: 'error', message: echo }));
        socket.close(1000);
      },
    },
  ],
  [
    'a close reason',
    {
      accepted: (socket) => {
        socket.close(1008, echo);
      },
    },
  ],
])('a socket redacts secrets that the server repeats in %s', async (_where, script) => {
  const log = await logOf(script);
  expect(log).toContain('you sent ••• and ••• and •••');
  for (const secret of secrets) expect(log).not.toContain(secret);
});
