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
  const heard = new RecordingListener();
  const sockets = createWebSockets(endpoint, { pings }).connect('chat', heard);
  await heard.reached(1);
  const [line] = await connected;
  return { line, heard, sockets };
}

/** When the second ping arrives, the answer to the first has come back. */
async function answered(line: WebSocket): Promise<void> {
  for (let ping = 0; ping < 2; ping += 1) await once(line, 'ping');
}

describe('an idle connection', () => {
  it('stays open while the server answers pings', async () => {
    const { heard } = await connect(true);
    await wait(2 * pings.deadMs);
    expect(heard.log).toEqual(['<opened>']);
  });

  it('stays open if pings were never answered, because a proxy may drop them', async () => {
    const { heard } = await connect(false);
    await wait(2 * pings.deadMs);
    expect(heard.log).toEqual(['<opened>']);
  });

  it('counts as dead if the server stops answering', async () => {
    const { line, heard } = await connect(true);
    await answered(line);
    line.pause();
    expect(await heard.end()).toMatchObject({ kind: 'closed', code: 1006 });
  });

  it('survives a pause of this process', async () => {
    const { line, heard } = await connect(true);
    await answered(line);
    for (const end = performance.now() + 2 * pings.deadMs; performance.now() < end;);
    await wait(pings.deadMs);
    expect(heard.log).toEqual(['<opened>']);
  });
});

describe('a large message on a slow connection', () => {
  it('is sent completely, although the pong comes after it', async () => {
    const { line, heard, sockets } = await connect(true);
    await answered(line);
    line.pause();
    sockets.send('x'.repeat(40_000_000));
    await wait(2 * pings.deadMs);
    expect(heard.log).toEqual(['<opened>']);
    const whole = once(line, 'message');
    line.resume();
    expect(((await whole) as [Buffer])[0]).toHaveLength(40_000_000);
    await wait(pings.deadMs);
    expect(heard.log).toEqual(['<opened>']);
  });

  it('is received completely, although the pong comes after it', async () => {
    const { line, heard } = await connect(true);
    await answered(line);
    const raw = Reflect.get(line, '_socket') as Socket;
    const text = Buffer.alloc(20, 'x');
    // A single frame of 20 bytes, so no ping is answered during it.
    line.pause();
    raw.write(Buffer.from([0x81, text.length]));
    for (const byte of text) {
      await wait(pings.deadMs / 8);
      raw.write(Buffer.from([byte]));
    }
    await expect.poll(() => heard.log.at(-1)).toBe('x'.repeat(20));
    expect(heard.log).toHaveLength(2);
  });
});
