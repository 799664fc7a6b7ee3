import { afterEach, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { RecordingListener } from '../fakes/recording-listener.ts';
import { scriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts';
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
    ['as it is', 'audio', 6, false],
    ['when it is inflated', 'video', 6, true],
    ['as it is', 'chat', 16, false],
    ['when it is inflated', 'chat', 16, true],
  ])(
    'accepts %s for %s up to %d MiB and closes at once above that',
    async (_how, mode, mib, compress) => {
      const most = ' '.repeat(mib * 2 ** 20);
      const listener = await connect((peer) => {
        peer.send(most, { compress });
        peer.send(`${most} `, { compress });
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
      expect(listener.log[1] === most).toBe(true);
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
