import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openParley, type Parley } from '../../../../../electron/app/parley.ts';
import { openBrowserHost } from '../../../../../electron/hosts/browser/page-server.ts';
import { packMessage, unpackMessage } from '../../../../../shared/ipc/binary-message.ts';
import { maxBinaryMessageBytes } from '../../../../../shared/ipc/bridge.ts';
import type { VisionFrame } from '../../../../../shared/vision/vision-frame.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';

let pagesFolder: string;
let parley: Parley;

beforeEach(async () => {
  pagesFolder = await mkdtemp(join(tmpdir(), 'parley-pages-'));
  await writeFile(join(pagesFolder, 'index.html'), '<!doctype html>');
  parley = openParley('browser', '1.2.3', new FakeLog());
});

afterEach(async () => {
  await parley.lifetime.end();
  await rm(pagesFolder, { recursive: true });
});

const open = (address = '127.0.0.1', port = 0) =>
  openBrowserHost(parley, { address, port, pagesFolder, withoutPageMs: 100 });

async function connect(): Promise<WebSocket> {
  return connectTo(await open());
}

function connectTo(page: string): WebSocket {
  const { origin, host, hash } = new URL(page);
  const token = new URLSearchParams(hash.slice(1)).get('token');
  return new WebSocket(`ws://${host}/connection`, ['parley', token ?? ''], {
    headers: { origin },
  });
}

/** Sends one message and resolves with the reply, or with the code of the close. Notices can come before either. */
function exchange(socket: WebSocket, text: string | Uint8Array): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.send(text);
    });
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as object;
      if ('notice' in message) return;
      resolve(message);
      socket.terminate();
    });
    socket.on('close', (code) => {
      resolve(code);
    });
    socket.on('error', reject);
  });
}

const paint = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: '#ff0000' } })
    .jpeg()
    .toBuffer();

describe('the browser host', () => {
  it('answers a request over its connection', async () => {
    expect(await exchange(await connect(), '{"id":7,"request":"about"}')).toMatchObject({
      id: 7,
      reply: { ok: true, value: { version: '1.2.3', host: 'browser' } },
    });
  });

  it('leaves no timer when it ends while a page is open', async () => {
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const page = await connect();
    await once(page, 'open');
    const before = timers();
    await parley.lifetime.end();
    if (page.readyState !== WebSocket.CLOSED) await once(page, 'close');
    await new Promise(setImmediate);
    expect(timers()).toBeLessThanOrEqual(before);
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

  it('receives and sends bytes', async () => {
    const socket = await connect();
    const frames: unknown[] = [];
    // Skips `talkCapture` notices.
    const twoFrames = new Promise<void>((resolve, reject) => {
      socket.on('message', (data: Buffer, binary) => {
        const message: unknown = binary ? unpackMessage(data) : JSON.parse(data.toString('utf8'));
        if (JSON.stringify(message).includes('talkCapture')) return;
        frames.push(message);
        if (frames.length === 2) resolve();
      });
      socket.on('error', reject);
    });
    await once(socket, 'open');
    const { framePipeline } = parley.vision;
    framePipeline.setPermission({ open: 'camera' });
    framePipeline.attach({
      chunkMs: 1000,
      pushFrame: () => {
        framePipeline.frameSent();
      },
      setMaxSlices: () => undefined,
    });
    const jpeg = new Uint8Array(await paint());
    socket.send(packMessage({ id: 1, request: 'pushFrame', input: { jpeg } }));
    await twoFrames;
    socket.terminate();
    expect(frames[0]).toMatchObject({ notice: { name: 'frameSent' } });
    expect(frames[1]).toEqual({ id: 1, reply: { ok: true, value: { outcome: 'taken' } } });
    const shown = (frames[0] as { notice: { payload: VisionFrame } }).notice.payload;
    expect(shown.jpeg.length).toBe(shown.facts.bytes);
    expect([...shown.jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  });

  it.each([
    ['a frame without a header', Uint8Array.of(1, 2, 3), 1003],
    ['a frame with an invalid header', Uint8Array.of(0, 0, 0, 2, 0x5b, 0x5d), 1003],
    ['bytes without a request', packMessage({ jpeg: Uint8Array.of(1) }), 1003],
    ['larger than any request may be', new Uint8Array(maxBinaryMessageBytes + 1), 1009],
    ['a text as large as a picture', ' '.repeat(1024 * 1024 + 1), 1009],
  ])('closes on a message that is %s', async (_what, message, code) => {
    expect(await exchange(await connect(), message)).toBe(code);
  });

  it('skips pictures for a page that does not read', async () => {
    const socket = await connect();
    await once(socket, 'open');
    socket.pause();
    const facts = { at: 0, bytes: 0, width: 1, height: 1, slices: 1, tokens: 64 };
    const jpeg = new Uint8Array(1024 * 1024);
    for (let count = 0; count < 200; count += 1)
      parley.machine.notices.post('frameSent', { facts, jpeg });
    let received = 0;
    socket.on('message', () => (received += 1));
    socket.resume();
    socket.send('{"id":7,"request":"about"}');
    await new Promise<void>((resolve) => {
      socket.on('message', (_data, binary) => {
        if (!binary) resolve();
      });
    });
    socket.terminate();
    expect(received).toBeGreaterThan(5);
    expect(received).toBeLessThan(50);
  });

  it('refuses every address but loopback', async () => {
    await expect(open('0.0.0.0')).rejects.toThrow(/listens on this machine only/);
  });

  it('reports a port in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const { port } = other.address() as AddressInfo;
    await expect(open('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    other.close();
  });

  it('ends the talk and pauses the replay some time after the last page has closed, unless a page opens again', async () => {
    const answer = vi.spyOn(parley, 'answer');
    const wait = () => new Promise((resolve) => setTimeout(resolve, 200));
    const page = await open();
    const close = async (socket: WebSocket): Promise<void> => {
      if (socket.readyState === socket.CONNECTING) await once(socket, 'open');
      socket.close();
      await once(socket, 'close');
    };
    const kept = connectTo(page);
    await once(kept, 'open');
    await close(connectTo(page));
    await wait();
    await close(kept);
    const reloaded = connectTo(page);
    await once(reloaded, 'open');
    await wait();
    expect(answer).not.toHaveBeenCalled();
    await close(reloaded);
    const asked = ['endTalk', 'pauseReplay'].map((name) => [name, undefined]);
    await vi.waitFor(() => expect(answer.mock.calls).toEqual(asked));
  });

  it('ends the talk before its connections, so that a page does not show it as running', async () => {
    const endTalk = vi.spyOn(parley, 'answer');
    const socket = await connect();
    await once(socket, 'open');
    let isOpen: boolean | undefined;
    endTalk.mockImplementation(async () => {
      isOpen = socket.readyState === socket.OPEN;
      return { ok: true, value: undefined };
    });
    await parley.lifetime.end();
    expect(isOpen).toBe(true);
  });

  it('ends while connections are open', async () => {
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
