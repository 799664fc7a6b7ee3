import { Session, type Profiler } from 'node:inspector';
import { createRequire } from 'node:module';
import { expect, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  counterAt,
  type NativeDevice,
  type NativeSound,
  type NativeStream,
} from '../../electron/platform/portaudio/portaudio-addon.ts';
import { openIpc } from '../../electron/app/ipc/window-ipc.ts';
import { openParley, type Parley } from '../../electron/app/parley.ts';
import { createAppContext } from '../../renderer/app/app-context.ts';
import { channels, type Bridge } from '../../shared/ipc/bridge.ts';
import { fakeCapture } from '../fakes/fake-bridge.ts';
import { BrowserWindow, contextBridge, ipcMain, ipcRenderer } from '../fakes/fake-electron.ts';
import { FakeLog } from '../fakes/fake-log.ts';

const productFile = /\/((?:electron|renderer|shared)\/[\w./-]+\.tsx?)$/;

/** Lists the product's files that ran a function, from V8's coverage. */
class ExecutedFiles {
  readonly #session = new Session();

  begin(): void {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  end(): void {
    this.#session.disconnect();
  }

  /** Files that ran since the last call. */
  take(): readonly string[] {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      scripts = result;
    });
    return scripts
      .filter(({ functions }) => functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0))
      .flatMap(({ url }) => productFile.exec(url)?.[1] ?? [])
      .toSorted();
  }
}

const stackFrameFiles = /(?:^|\/)((?:electron|renderer|shared)\/[\w./-]+?\.tsx?)(?=[:?)]|$)/gm;

/** The stack that set the current timer, followed by the stacks of earlier timers. */
let timerStack = '';

/** Patches timers to remember the stack that set them, so that call paths continue across timers. */
function followTimers(): void {
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const) {
    const original = globalThis[name] as (run: () => void, ...rest: unknown[]) => unknown;
    const follow = (run: (...args: readonly unknown[]) => void, ...rest: unknown[]): unknown => {
      const before = stack();
      const walk = (...args: readonly unknown[]): void => {
        const outer = timerStack;
        timerStack = before;
        try {
          run(...args);
        } finally {
          timerStack = outer;
        }
      };
      return original(walk, ...rest);
    };
    vi.stubGlobal(name, Object.assign(follow, original));
  }
  Error.stackTraceLimit = 100;
}

function stack(): string {
  return `${new Error('here').stack ?? ''}\n${timerStack}`.slice(0, 20_000);
}

/** The product's files on the current call stack, outermost first. */
function filesOnStack(): readonly string[] {
  const files = [...stack().matchAll(stackFrameFiles)].map(([, file = '']) => file).toReversed();
  return [...new Set(files)];
}

const device: NativeDevice = {
  index: 0,
  name: 'Card',
  hostApi: 'Fake',
  inputChannels: 1,
  outputChannels: 1,
  rate: 48_000,
  defaultInput: 1,
  defaultOutput: 1,
};

/** A stream with the counters that the driver reads. */
class CardStream implements NativeStream {
  declare readonly nativeStream: NativeStream['nativeStream'];
  readonly rate: number;
  readonly wake: (() => void) | undefined;
  readonly began = performance.now();
  callbacks = 0;
  moved = 0;
  queued = 0;

  constructor(rate: number, wake?: () => void) {
    this.rate = rate;
    this.wake = wake;
  }
}

interface CardEvents {
  /** A block is ready; `wake` is the addon's callback. */
  readonly block: (wake: () => void) => void;
  readonly write: () => void;
  readonly flush: () => void;
}

/** Replaces the native addon, so that all code above it is real, and reports its calls. */
class FakeCard {
  microphone: CardStream | undefined;
  #loudness = 0;

  readonly #events: CardEvents;

  constructor(events: CardEvents) {
    this.#events = events;
    const native: NativeSound = {
      copies: 6,
      initialize: () => Promise.resolve([device]),
      terminate: () => Promise.resolve(),
      openSpeaker: ({ rate }) => Promise.resolve(new CardStream(rate)),
      openMicrophone: ({ rate }, _samples, wake) => {
        this.microphone = new CardStream(rate, wake);
        return Promise.resolve(this.microphone);
      },
      close: () => Promise.resolve(),
      write: (stream, samples) => {
        events.write();
        if (stream instanceof CardStream) stream.moved += samples.length;
        return samples.length;
      },
      flush: () => {
        events.flush();
        return { played: 0, dropped: 0 };
      },
      setVolume: () => undefined,
      take: (stream, into) => {
        if (stream !== this.microphone) return 0;
        for (let at = 0; at < into.length; at += 1)
          into[at] = this.#loudness * (at % 40 < 20 ? 1 : -1);
        this.microphone.queued -= into.length;
        this.microphone.moved += into.length;
        return into.length;
      },
      readCounters: (stream, counters) => {
        if (!(stream instanceof CardStream)) return;
        stream.callbacks += 1;
        const now = performance.now() / 1000;
        counters[counterAt.active] = 1;
        counters[counterAt.callbacks] = stream.callbacks;
        counters[counterAt.now] = now;
        counters[counterAt.moved] = stream.moved;
        counters[counterAt.queued] = stream.queued;
        counters[counterAt.markTime] = stream.began / 1000;
      },
    };
    const { cache, resolve } = createRequire(import.meta.url);
    for (const name of ['naudiodon', 'parley-sound'])
      Object.assign(cache, { [resolve(name)]: { loaded: true, exports: native } });
  }

  /** Delivers sound of this loudness (0 is silence) in real time. */
  async hear(loudness: number, ms: number): Promise<void> {
    this.#loudness = loudness;
    for (let heard = 0; heard < ms; heard += 20) {
      const { microphone } = this;
      if (microphone?.wake !== undefined) {
        microphone.queued += microphone.rate / 50;
        this.#events.block(microphone.wake);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }
}

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
  await import('../../electron/preload.ts');
  return contextBridge.exposeInMainWorld.mock.lastCall?.[1] as Bridge;
}
