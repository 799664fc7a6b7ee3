import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { composeParley } from '../../../electron/compose.ts';
import type { Parley } from '../../../electron/compose.ts';
import { openBrowserHost } from '../../../electron/hosts/browser/server.ts';
import { FakeLog } from '../../fakes/fake-log.ts';

let pagesFolder: string;
let parley: Parley;

beforeEach(async () => {
  pagesFolder = await mkdtemp(join(tmpdir(), 'parley-pages-'));
  await writeFile(join(pagesFolder, 'index.html'), '<!doctype html>');
  parley = composeParley('browser', '1.2.3', new FakeLog());
});

afterEach(async () => {
  await parley.lifetime.end();
  await rm(pagesFolder, { recursive: true });
});

const open = (address = '127.0.0.1', port = 0) =>
  openBrowserHost(parley, { address, port, pagesFolder });

async function connect(): Promise<WebSocket> {
  const { origin, host, hash } = new URL(await open());
  const token = new URLSearchParams(hash.slice(1)).get('token');
  return new WebSocket(`ws://${host}/connection`, ['parley', token ?? ''], {
    headers: { origin },
  });
}

/** Sends one text and resolves with the next one, or with the code of the close. */
function exchange(socket: WebSocket, text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.send(text);
    });
    socket.on('message', (data: Buffer) => {
      resolve(JSON.parse(data.toString('utf8')));
      socket.terminate();
    });
    socket.on('close', (code) => {
      resolve(code);
    });
    socket.on('error', reject);
  });
}

describe('the browser host', () => {
  it('answers a request over its connection', async () => {
    expect(await exchange(await connect(), '{"id":7,"request":"about"}')).toMatchObject({
      id: 7,
      reply: { ok: true, value: { version: '1.2.3', host: 'browser' } },
    });
  });

  it.each([
    'not json',
    '[]',
    '{"id":-1,"request":"about"}',
    '{"id":1}',
    '{"id":1,"request":"about","x":1}',
  ])('closes on %s', async (text) => {
    expect(await exchange(await connect(), text)).toBe(1003);
  });

  it('refuses every address but loopback', async () => {
    await expect(open('0.0.0.0')).rejects.toThrow(/listens on this machine only/);
  });

  it('passes on that a port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const { port } = other.address() as AddressInfo;
    await expect(open('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    other.close();
  });

  it('ends with connections open', async () => {
    const socket = await connect();
    const closed = new Promise((resolve) => {
      socket.on('close', resolve);
    });
    await new Promise((resolve) => {
      socket.on('open', resolve);
    });
    await parley.lifetime.end();
    expect(await closed).toBe(1006);
  });
});
