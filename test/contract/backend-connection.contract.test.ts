import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  connectBackend,
  readBackendAddress,
} from '../../electron/platform/model/backend-connection.ts';
import { oversizeReason } from '../../shared/ports/sockets.ts';
import { RecordingListener } from '../fakes/recording-listener.ts';

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

  it('ends at a message of more than 16 MiB, even if the server keeps it open', async () => {
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

  it('is refused by a server without /backend', async () => {
    const listener = new RecordingListener();
    connectBackend(new URL('/elsewhere', addressOf('ws'))).connect(listener);
    expect(await listener.end()).toMatchObject({ kind: 'refused', status: 400 });
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

  it('can be cut before it is open', async () => {
    const listener = new RecordingListener();
    connectBackend(addressOf('ws')).connect(listener).terminate();
    expect(await listener.end()).toMatchObject({ kind: 'unreachable' });
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

describe('an address of a model server', () => {
  it.each([
    ['http://box:22500', 'ws://box:22500/backend'],
    ['https://box/models/backend', 'wss://box/models/backend'],
    ['ws://box:1/', 'ws://box:1/backend'],
  ])('reads %s', (text, href) => {
    expect(readBackendAddress(text)?.href).toBe(href);
  });

  it.each(['box:22500', 'ftp://box', 'ws://me:secret@box', 'ws://box/?a=b', ''])(
    'refuses %s',
    (text) => {
      expect(readBackendAddress(text)).toBeUndefined();
    },
  );
});
