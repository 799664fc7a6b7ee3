import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { describe, expect, it } from 'vitest';
import { FakeLog } from '../fakes/fake-log.ts';
import { gatewayHarness } from './gateway-server-harness.ts';

const { serve } = gatewayHarness();

/** Returns `open`, or the status and body of the refusal. */
async function connect(url: string, headers: Record<string, string>): Promise<string> {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.on('unexpected-response', (_request, response) => {
      void text(response).then((body) => resolve(`${response.statusCode} ${body}`));
    });
  });
}

async function get(url: string, headers: Record<string, string>): Promise<string> {
  const sent = request(new URL('/health', url.replace('ws:', 'http:')), { headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return `${response.statusCode} ${await text(response)}`;
}

const foreignHost = '403 The gateway answers only under the address it listens at.';
const noPages = '403 The gateway answers no web pages: start it with --allow-origin to allow one.';

describe('a client of the gateway', () => {
  it.each(['127.0.0.1', 'localhost:9000', '[::1]:8006', 'LOCALHOST'])(
    'is accepted under %s',
    async (host) => {
      const url = await serve();
      expect(await connect(url, { host })).toBe('open');
      expect(await get(url, { host })).toBe('200 {"status":"ok"}\n');
    },
  );

  it.each(['evil.example', 'evil.example:8006', 'localhost.evil.example', '127.0.0.1.evil'])(
    'is refused under the foreign name "%s"',
    async (host) => {
      const url = await serve();
      expect(await connect(url, { host })).toBe(foreignHost);
      expect(await get(url, { host })).toBe(`${foreignHost}\n`);
    },
  );

  it.each(['https://evil.example', 'http://localhost:3000', 'http://127.0.0.1', 'null', 'file://'])(
    'is refused as a page of %s',
    async (origin) => {
      const url = await serve();
      expect(await connect(url, { origin })).toBe(noPages);
      expect(await get(url, { origin })).toBe(`${noPages}\n`);
    },
  );

  it('is accepted as an allowed page only', async () => {
    const url = await serve({}, new FakeLog(), ['http://localhost:3000']);
    expect(await connect(url, { origin: 'http://localhost:3000' })).toBe('open');
    expect(await connect(url, { origin: 'http://localhost:3001' })).toBe(noPages);
    expect(await connect(url, { origin: 'http://localhost:3000', host: 'evil.example' })).toBe(
      foreignHost,
    );
  });
});
