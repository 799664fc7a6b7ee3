import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { RecordingListener } from '../fakes/recording-listener.ts';

const pings = { quietMs: 60, deadMs: 500 };

const servers: WebSocketServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
    await once(server, 'close');
  }
});

/** A connection to a server that only replies. */
async function connect(autoPong: boolean) {
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
  it('stays open while the server answers pings', async () => {
    const { listener } = await connect(true);
    await wait(2 * pings.deadMs);
    expect(listener.log).toEqual(['<opened>']);
  });

  it('stays open if no ping was ever answered, because a proxy may drop them', async () => {
    const { listener } = await connect(false);
    await wait(2 * pings.deadMs);
    expect(listener.log).toEqual(['<opened>']);
  });

  it('counts as dead if the server stops answering', async () => {
    const { peer, listener } = await connect(true);
    await waitForPong(peer);
    peer.pause();
    expect(await listener.end()).toMatchObject({ kind: 'closed', code: 1006 });
  });

  it('survives a pause of this process', async () => {
    const { peer, listener } = await connect(true);
    await waitForPong(peer);
    for (const end = performance.now() + 2 * pings.deadMs; performance.now() < end;);
    await wait(pings.deadMs);
    expect(listener.log).toEqual(['<opened>']);
  });
});

describe('a large message on a slow connection', () => {
  it('is sent completely, although the pong comes after it', async () => {
    const { peer, listener, sockets } = await connect(true);
    await waitForPong(peer);
    peer.pause();
    sockets.send('x'.repeat(40_000_000));
    await wait(2 * pings.deadMs);
    expect(listener.log).toEqual(['<opened>']);
    const whole = once(peer, 'message');
    peer.resume();
    expect(((await whole) as [Buffer])[0]).toHaveLength(40_000_000);
    await wait(pings.deadMs);
    expect(listener.log).toEqual(['<opened>']);
  });

  it('is received completely, although the pong comes after it', async () => {
    const { peer, listener } = await connect(true);
    await waitForPong(peer);
    const raw = Reflect.get(peer, '_socket') as Socket;
    const text = Buffer.alloc(20, 'x');
    // One frame of 20 bytes, within which no pong can be sent.
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
