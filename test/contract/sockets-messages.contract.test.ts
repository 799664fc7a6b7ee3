import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  connectBackend,
  readBackendAddress,
} from '../../electron/platform/model/backend-connection.ts';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { oversizeReason } from '../../shared/ports/sockets.ts';
import {
  RecordingListener,
  type Script,
  type ScriptedServer,
  scriptedServer,
} from '../fakes/scripted-server.ts';
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

const pings = { quietMs: 60, deadMs: 500 };

const servers: WebSocketServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
    await once(server, 'close');
  }
});

/** A connection to a server that sends nothing by itself. */
async function connectIdle(autoPong: boolean) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, autoPong });
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connected = once(server, 'connection') as Promise<[WebSocket]>;
  const url = `ws://127.0.0.1:${port}/`;
  const endpoint = { url, headers: {}, query: {}, insecure: false };
  const listener = new RecordingListener();
  const sockets = createWebSockets(endpoint, { pings }).connect('chat', listener);
  await listener.reached(1);
  const [peer] = await connected;
  return { peer, listener, sockets };
}

/** When the second ping arrives, the answer to the first has come back. */
async function waitForPong(peer: WebSocket): Promise<void> {
  for (let ping = 0; ping < 2; ping += 1) await once(peer, 'ping');
}

describe('an idle connection', () => {
  // A proxy may drop pings, so a server that never answered one does not count as dead.
  it.each([true, false])('stays open, with pings answered: %s', async (autoPong) => {
    const { listener } = await connectIdle(autoPong);
    await wait(2 * pings.deadMs);
    expect(listener.log).toEqual(['<opened>']);
  });

  it('counts as dead if the server stops answering', async () => {
    const { peer, listener } = await connectIdle(true);
    await waitForPong(peer);
    peer.pause();
    expect(await listener.end()).toMatchObject({ kind: 'closed', code: 1006 });
  });

  it('survives a pause of this process', async () => {
    const { peer, listener } = await connectIdle(true);
    await waitForPong(peer);
    for (const end = performance.now() + 2 * pings.deadMs; performance.now() < end;);
    await wait(pings.deadMs);
    expect(listener.log).toEqual(['<opened>']);
  });
});

describe('a large message on a slow connection', () => {
  it('is sent completely, although the pong arrives only after the message', async () => {
    const { peer, listener, sockets } = await connectIdle(true);
    await waitForPong(peer);
    peer.pause();
    sockets.send('x'.repeat(40_000_000));
    await wait(2 * pings.deadMs);
    expect(listener.log).toEqual(['<opened>']);
    const message = once(peer, 'message');
    peer.resume();
    expect(((await message) as [Buffer])[0]).toHaveLength(40_000_000);
    await wait(pings.deadMs);
    expect(listener.log).toEqual(['<opened>']);
  });

  it('is received completely, although the pong arrives only after the message', async () => {
    const { peer, listener } = await connectIdle(true);
    await waitForPong(peer);
    const raw = Reflect.get(peer, '_socket') as Socket;
    const text = Buffer.alloc(20, 'x');
    // Sends a frame of 20 bytes slowly. The peer can send no pong in the middle of it.
    peer.pause();
    raw.write(Buffer.from([0x81, text.length]));
    for (const byte of text) {
      await wait(pings.deadMs / 8);
      raw.write(Buffer.from([byte]));
    }
    await expect.poll(() => listener.log.at(-1)).toBe('x'.repeat(20));
    expect(listener.log).toHaveLength(2);
  });
});

describe('a model server', () => {
  type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

  let server: Server;
  let webSockets: WebSocketServer;
  let answer: Answer;

  beforeEach(async () => {
    answer = (_request, response) => {
      response.end();
    };
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => {
        body += piece.toString();
      });
      request.on('end', () => {
        answer(request, response, body);
      });
    });
    webSockets = new WebSocketServer({ server, path: '/backend', perMessageDeflate: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    for (const client of webSockets.clients) client.terminate();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });

  function addressOf(scheme: string): URL {
    const { port } = server.address() as AddressInfo;
    const address = readBackendAddress(`${scheme}://127.0.0.1:${port}`);
    if (address === undefined) throw new Error('The address was not read.');
    return address;
  }

  async function acceptSocket(): Promise<WebSocket> {
    const [peer] = (await once(webSockets, 'connection')) as [WebSocket];
    return peer;
  }

  describe('the connection to a model server', () => {
    it('carries text both ways without compression, and answers pings', async () => {
      const listener = new RecordingListener();
      const peerOpens = acceptSocket();
      const socket = connectBackend(addressOf('http')).connect(listener);
      const peer = await peerOpens;
      expect(peer.extensions).toBe('');
      await listener.reached(1);
      socket.send('there');
      const [data] = (await once(peer, 'message')) as [Buffer];
      expect(data.toString()).toBe('there');
      peer.ping();
      await once(peer, 'pong');
      peer.send('back');
      peer.send(Uint8Array.of(1));
      await listener.reached(3);
      expect(listener.log).toEqual(['<opened>', 'back', undefined]);
      peer.close(1000, 'bye');
      expect(await listener.end()).toEqual({ kind: 'closed', code: 1000, reason: 'bye' });
    });

    it('ends at a message of more than 16 MiB, even if the server keeps the connection open', async () => {
      const listener = new RecordingListener();
      const peerOpens = acceptSocket();
      connectBackend(addressOf('ws')).connect(listener);
      const peer = await peerOpens;
      const closed = once(peer, 'close');
      peer.send('x'.repeat(16 * 1024 * 1024));
      await listener.reached(2);
      peer.send('x'.repeat(16 * 1024 * 1024 + 1));
      expect(await listener.end()).toEqual({ kind: 'closed', code: 1009, reason: oversizeReason });
      await closed;
    });

    it('is unreachable where nothing listens', async () => {
      const address = addressOf('ws');
      server.close();
      await once(server, 'close');
      const listener = new RecordingListener();
      const backend = connectBackend(address);
      backend.connect(listener);
      expect(await listener.end()).toMatchObject({ kind: 'unreachable' });
      expect(await backend.isHealthy()).toBe(false);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
  });

  describe('requests to a model server', () => {
    it('close a session by its id, with the reason', async () => {
      const requests: unknown[] = [];
      answer = ({ method, url }, response, body) => {
        requests.push([method, url, body]);
        response.end('{"status":"closed"}');
      };
      const backend = connectBackend(addressOf('ws'));
      expect(await backend.closeSession('s/1', 'client_closed')).toBe(true);
      expect(requests).toEqual([['POST', '/sessions/s%2F1/close', '{"reason":"client_closed"}']]);
    });

    it.each([
      [404, true],
      [500, false],
    ])('treat status %d of a close as success: %s', async (status, isClosed) => {
      answer = (_request, response) => {
        response.writeHead(status).end();
      };
      expect(await connectBackend(addressOf('ws')).closeSession('s', 'bye')).toBe(isClosed);
    });

    it('ask for its health, and follow no redirect', async () => {
      expect(await connectBackend(addressOf('ws')).isHealthy()).toBe(true);
      answer = (_request, response) => {
        response.writeHead(302, { location: '/backend' }).end();
      };
      expect(await connectBackend(addressOf('ws')).isHealthy()).toBe(false);
    });
  });
});

describe('an address of a model server', () => {
  it.each([
    ['http://box:22500', 'ws://box:22500/backend'],
    ['https://box/models/backend', 'wss://box/models/backend'],
    ['ws://box:1/', 'ws://box:1/backend'],
  ])('is read from %s as %s', (text, href) => {
    expect(readBackendAddress(text)?.href).toBe(href);
  });

  it.each(['box:22500', 'ftp://box', 'ws://me:secret@box', 'ws://box/?a=b', ''])(
    'refuses %s',
    (text) => {
      expect(readBackendAddress(text)).toBeUndefined();
    },
  );
});
