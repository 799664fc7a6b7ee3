import { expect, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openIpc } from '../../../electron/app/ipc/window-ipc.ts';
import { openParley, type Parley } from '../../../electron/app/parley.ts';
import { createAppContext } from '../../../renderer/app/app-context.ts';
import { type Bridge, channels } from '../../../shared/ipc/bridge.ts';
import { fakeCapture } from '../../fakes/fake-bridge.ts';
import { BrowserWindow, contextBridge, ipcMain, ipcRenderer } from '../../fakes/fake-electron.ts';
import { FakeLog } from '../../fakes/fake-log.ts';
import { filesOnPath, followTimers } from './call-path.ts';
import { ExecutedFiles } from './executed-files.ts';
import { FakeCard } from './fake-card.ts';

export interface Walked {
  /** Those that wait for the last call to come back, from the first of the way on. */
  readonly path: readonly string[];
  /** All that ran meanwhile, beside the way too: levels, captions, limits. */
  readonly executed: readonly string[];
}

/** Of other programs: the server is one, though it is in this process here. */
const farEnd = /^electron\/(?:platform\/)?gateway\/|\/gateway-|-gateway\./;

const ways = {
  microphone: 'microphone to websocket',
  delta: 'delta to speaker callback',
  click: 'click to silence',
};

/**
 * A talk of the whole product, from the page's store to the addon of the sound card, which is played,
 * over a real WebSocket; and what was called when a block of the microphone reached the socket, a delta
 * the speaker, and a click the silence.
 */
export async function walkWays(): Promise<ReadonlyMap<string, Walked>> {
  const walked = new Map<string, Walked>();
  const coverage = new ExecutedFiles();
  /** Of the block that is on its way: what led to the socket, and what had run by then. */
  let sent: readonly Walked[] = [];
  let clicked = false;
  let awaited: Set<string> | undefined;

  followTimers();
  coverage.begin();
  const card = new FakeCard({
    block: (wake) => {
      for (const file of coverage.take()) awaited?.add(file);
      sent = [];
      wake();
      for (const { path, executed } of sent) keep(ways.microphone, path, executed);
    },
    write: () => {
      if (awaited === undefined) return;
      const path = pathFrom('electron/platform/net/web-socket.ts');
      keep(ways.delta, path, [...awaited, ...coverage.take()]);
      if (path.length > 0) awaited = undefined;
    },
    flush: () => {
      if (clicked) keep(ways.click, pathFrom('renderer/'), coverage.take());
    },
  });
  onSend(() => {
    const path = pathFrom('electron/platform/portaudio/');
    if (path.length > 0) sent = [...sent, { path, executed: coverage.take() }];
  });
  onMessage((text) => {
    if (!text.includes('"audio":"')) return;
    if (awaited === undefined) coverage.take();
    awaited ??= new Set();
  });

  function keep(way: string, path: readonly string[], executed: readonly string[]): void {
    if (path.length <= (walked.get(way)?.path.length ?? 0)) return;
    const near = [...new Set([...path, ...executed])].filter((file) => !farEnd.test(file));
    walked.set(way, { path, executed: near.toSorted() });
  }

  const parley = openParley('browser', 'walked', new FakeLog());
  try {
    const served = await parley.servers.gateway.serve({}, 0);
    if (!served.ok) throw new Error(served.error.code);
    const { url } = served.value;
    const profile = { name: 'Here', kind: 'local', url, dialect: 'auto', headers: {}, query: {} };
    const server = await parley.servers.endpoints.put(
      profile as Parameters<typeof parley.servers.endpoints.put>[0],
    );
    if (!server.ok) throw new Error(server.error.code);
    parley.servers.settings.change({ endpoints: { chosen: server.value.id } });

    const { actions, store } = createAppContext({
      bridge: await bridgeTo(parley),
      capture: fakeCapture().capture,
      now: () => 0,
    });
    await actions.start('audio');
    await vi.waitFor(
      () => {
        expect(store.getState().talkState.value.phase).toBe('live');
      },
      { timeout: 10_000 },
    );
    await card.hear(0.3, 1500);
    for (let waits = 0; waits < 40 && !walked.has(ways.delta); waits += 1) await card.hear(0, 500);
    coverage.take();
    clicked = true;
    await actions.interrupt();
    clicked = false;
    await actions.end();
  } finally {
    await parley.lifetime.end();
    coverage.end();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
  return walked;
}

/** Before a text goes out over any WebSocket, of the client or of the server. */
function onSend(told: () => void): void {
  const send = Reflect.get(WebSocket.prototype, 'send');
  const watched = function watched(this: WebSocket, ...args: Parameters<typeof send>): void {
    told();
    send.apply(this, args);
  };
  vi.spyOn(WebSocket.prototype, 'send').mockImplementation(watched);
}

/** Before a client hears a text. */
function onMessage(told: (text: string) => void): void {
  const emit = Reflect.get(WebSocket.prototype, 'emit');
  const watched = function watched(this: WebSocket, ...args: Parameters<typeof emit>): boolean {
    // Only a client has an address.
    if (args[0] === 'message' && this.url) told(String(args[1]));
    return emit.apply(this, args);
  };
  vi.spyOn(WebSocket.prototype, 'emit').mockImplementation(watched);
}

/** From the first such file on; none where the call did not come from there. */
function pathFrom(folder: string): readonly string[] {
  const files = filesOnPath();
  const begin = files.findIndex((file) => file.startsWith(folder));
  return begin === -1 ? [] : files.slice(begin);
}

/** The real preload and the real answer to it; between them stands Electron's ipc, which only hands over. */
async function bridgeTo({ answer, machine, openTapeAt }: Parley): Promise<Bridge> {
  const { notices, log, lifetime } = machine;
  const parley = { answer, notices, log, lifetime, openTapeAt };
  const origin = 'https://parley.localhost';
  const window = new BrowserWindow({ width: 1, height: 1 });
  const mainFrame = { url: origin };
  Object.assign(window.webContents, { mainFrame, getURL: () => origin });
  // The fakes have of Electron what is asked of it here.
  const served = openIpc(() => Promise.resolve(parley), origin);
  served.join(window as unknown as Parameters<typeof served.join>[0]);
  served.serve(parley);
  const handler = ipcMain.handle.mock.calls.find(
    ([channel]) => channel === channels.request,
  )?.[1] as (...args: readonly unknown[]) => unknown;
  // A mock's promise is another one, at which the stack of the call would end.
  Object.assign(ipcRenderer, {
    invoke: (_channel: string, ...args: readonly unknown[]) =>
      handler({ senderFrame: mainFrame }, ...args),
  });
  ipcRenderer.on.mockImplementation(
    (_channel: string, listener: (...args: readonly unknown[]) => void) => {
      window.webContents.send.mockImplementation((_name: string, ...args: readonly unknown[]) => {
        listener(undefined, ...args);
      });
    },
  );
  await import('../../../electron/preload.ts');
  return contextBridge.exposeInMainWorld.mock.lastCall?.[1] as Bridge;
}
