import { expect, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openIpc } from '../../../electron/app/ipc/window-ipc.ts';
import { openParley, type Parley } from '../../../electron/app/parley.ts';
import { createAppContext } from '../../../renderer/app/app-context.ts';
import { type Bridge, channels } from '../../../shared/ipc/bridge.ts';
import { fakeCapture } from '../../fakes/fake-bridge.ts';
import { BrowserWindow, contextBridge, ipcMain, ipcRenderer } from '../../fakes/fake-electron.ts';
import { FakeLog } from '../../fakes/fake-log.ts';
import { filesOnStack, followTimers, ExecutedFiles } from './executed-files.ts';
import { FakeCard } from './fake-card.ts';

export interface TracedCallPath {
  /** Files on the call stack at the end of the path, from its first file on. */
  readonly path: readonly string[];
  /** All files that ran meanwhile, including levels, captions and limits. */
  readonly executed: readonly string[];
}

/** The server's files; it runs in this process, but would be another program. */
const serverFiles = /^electron\/(?:platform\/)?gateway\/|\/gateway-|-gateway\./;

const names = {
  microphone: 'microphone to websocket',
  delta: 'delta to speaker callback',
  click: 'click to silence',
};

/**
 * Runs a talk through the whole product, from the page's store to a fake addon, over a real WebSocket. Records the calls
 * of three paths: a microphone block to the socket, a delta to the speaker, and a click to silence.
 */
export async function traceCallPaths(): Promise<ReadonlyMap<string, TracedCallPath>> {
  const traced = new Map<string, TracedCallPath>();
  const coverage = new ExecutedFiles();
  /** For the current block: each path to the socket, and the files that had run by then. */
  let sent: readonly TracedCallPath[] = [];
  let clicked = false;
  let ranSinceDelta: Set<string> | undefined;

  followTimers();
  coverage.begin();
  const card = new FakeCard({
    block: (wake) => {
      for (const file of coverage.take()) ranSinceDelta?.add(file);
      sent = [];
      wake();
      for (const { path, executed } of sent) keep(names.microphone, path, executed);
    },
    write: () => {
      if (ranSinceDelta === undefined) return;
      const path = pathFrom('electron/platform/net/web-socket.ts');
      keep(names.delta, path, [...ranSinceDelta, ...coverage.take()]);
      if (path.length > 0) ranSinceDelta = undefined;
    },
    flush: () => {
      if (clicked) keep(names.click, pathFrom('renderer/'), coverage.take());
    },
  });
  onSend(() => {
    const path = pathFrom('electron/platform/portaudio/');
    if (path.length > 0) sent = [...sent, { path, executed: coverage.take() }];
  });
  onMessage((text) => {
    if (!text.includes('"audio":"')) return;
    if (ranSinceDelta === undefined) coverage.take();
    ranSinceDelta ??= new Set();
  });

  function keep(name: string, path: readonly string[], executed: readonly string[]): void {
    if (path.length <= (traced.get(name)?.path.length ?? 0)) return;
    const productFiles = [...new Set([...path, ...executed])].filter(
      (file) => !serverFiles.test(file),
    );
    traced.set(name, { path, executed: productFiles.toSorted() });
  }

  const parley = openParley('browser', 'traced', new FakeLog());
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
    for (let waits = 0; waits < 40 && !traced.has(names.delta); waits += 1) await card.hear(0, 500);
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
  return traced;
}

/** Calls back before any WebSocket, of client or server, sends a message. */
function onSend(callback: () => void): void {
  const send = Reflect.get(WebSocket.prototype, 'send');
  const watched = function watched(this: WebSocket, ...args: Parameters<typeof send>): void {
    callback();
    send.apply(this, args);
  };
  vi.spyOn(WebSocket.prototype, 'send').mockImplementation(watched);
}

/** Calls back before a client receives a message. */
function onMessage(callback: (text: string) => void): void {
  const emit = Reflect.get(WebSocket.prototype, 'emit');
  const watched = function watched(this: WebSocket, ...args: Parameters<typeof emit>): boolean {
    // Only a client socket has a URL.
    if (args[0] === 'message' && this.url) callback(String(args[1]));
    return emit.apply(this, args);
  };
  vi.spyOn(WebSocket.prototype, 'emit').mockImplementation(watched);
}

/** The stack from the first file in this folder on; empty if no such file is on it. */
function pathFrom(folder: string): readonly string[] {
  const files = filesOnStack();
  const begin = files.findIndex((file) => file.startsWith(folder));
  return begin === -1 ? [] : files.slice(begin);
}

/** Connects the real preload and the real request handler through a fake of Electron's ipc. */
async function bridgeTo({ answer, machine, openTapeAt }: Parley): Promise<Bridge> {
  const { notices, log, lifetime } = machine;
  const parley = { answer, notices, log, lifetime, openTapeAt };
  const origin = 'https://parley.localhost';
  const window = new BrowserWindow({ width: 1, height: 1 });
  const mainFrame = { url: origin };
  Object.assign(window.webContents, { mainFrame, getURL: () => origin });
  // The fake window has only the members used here.
  const served = openIpc(() => Promise.resolve(parley), origin);
  served.register(window as unknown as Parameters<typeof served.register>[0]);
  served.serve(parley);
  const handler = ipcMain.handle.mock.calls.find(
    ([channel]) => channel === channels.request,
  )?.[1] as (...args: readonly unknown[]) => unknown;
  // A mock would return its own promise, and the call stack would end there.
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
