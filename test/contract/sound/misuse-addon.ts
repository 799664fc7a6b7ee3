// Calls the addon with invalid arguments and at bad moments. Runs in its own process, because a failure crashes the
// process.
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { composeLog } from '../../../electron/app/process-log.ts';
import { guardProcess, printToStderr } from '../../../electron/hosts/guard-process.ts';
import {
  counterCount,
  loadNativeSound,
  type NativeDevice,
} from '../../../electron/platform/portaudio/portaudio-addon.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { describeError } from '../../../shared/errors/app-error.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';

/** The addon’s functions, accepting any arguments. */
type Loose = Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;

const load = createRequire(import.meta.url);

function addon(): Loose {
  load('naudiodon');
  return load('parley-sound') as Loose;
}

function planFor(devices: readonly NativeDevice[], use: 'defaultInput' | 'defaultOutput') {
  const device = devices.find((each) => each[use] === 1)?.index ?? -1;
  return {
    copy: 1,
    device,
    rate: 48_000,
    channels: 1,
    framesPerBuffer: 480,
    latency: 0.02,
    ringSamples: 48_000,
  };
}

function said(run: () => unknown): string {
  try {
    run();
    return 'nothing';
  } catch (error) {
    return describeError(error);
  }
}

/** Passes values of other types in place of streams, and an external value that Node created. */
async function passForeignValues(): Promise<readonly string[]> {
  const native = addon();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const foreign: unknown = Reflect.get(Reflect.get(socket, '_handle') as object, '_externalStream');
  const kinds = [{}, 3, null, undefined, 'x', foreign];
  const errors = ['close', 'write', 'flush', 'setVolume', 'take', 'readCounters'].flatMap((name) =>
    kinds.map((kind) => said(() => native[name]?.(kind, new Float32Array(8)))),
  );
  socket.destroy();
  server.close();
  return [typeof foreign, ...new Set(errors)];
}

const absurd = [Number.NaN, -1, 0, 1e18, 1e300, Number.POSITIVE_INFINITY, 'x', undefined, {}];

/** Plans with extreme values; each opens or is refused. */
async function openExtremePlans(): Promise<number> {
  const [native, anything] = [loadNativeSound(), addon()];
  const devices = await native.initialize(1);
  let answered = 0;
  for (const use of ['defaultInput', 'defaultOutput'] as const) {
    const good = planFor(devices, use);
    for (const field of Object.keys(good)) {
      for (const value of absurd) {
        const plan = { ...good, [field]: value };
        const open = use === 'defaultInput' ? 'openMicrophone' : 'openSpeaker';
        const opening = Promise.resolve(anything[open]?.(plan, value, () => undefined));
        const stream = await opening.catch(() => undefined);
        if (stream !== undefined) await anything['close']?.(stream);
        answered += 1;
      }
    }
  }
  return answered;
}

/** Opens streams, leaves them to the garbage collector, and returns how many handles could still wake JavaScript. */
async function collectStreams(): Promise<number> {
  const native = loadNativeSound();
  const devices = await native.initialize(1);
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  for (let time = 0; time < 8; time += 1) {
    const input = native.openMicrophone(planFor(devices, 'defaultInput'), 480, () => undefined);
    await input.catch(() => undefined);
    await native.openSpeaker(planFor(devices, 'defaultOutput')).catch(() => undefined);
  }
  const wakers = (): number => Number(addon()['wakerCount']?.());
  let left = wakers();
  for (let turn = 0; turn < 50 && left > 0; turn += 1) {
    collect();
    left = wakers();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return left;
}

/** Queries run while the stream closes and PortAudio ends. */
async function queryWhileClosing(): Promise<number> {
  const native = loadNativeSound();
  let answers = 0;
  for (let time = 0; time < 12; time += 1) {
    const devices = await native.initialize(1);
    const opening = native.openSpeaker(planFor(devices, 'defaultOutput'));
    const stream = await opening.catch(() => undefined);
    // On a busy machine, opening may time out.
    if (stream === undefined) {
      await native.terminate(1);
      continue;
    }
    const counters = new Float64Array(counterCount);
    const ending = [native.terminate(1), native.close(stream)];
    const state = { over: false };
    void Promise.all(ending).finally(() => {
      state.over = true;
    });
    while (!state.over) {
      native.readCounters(stream, counters);
      native.write(stream, new Float32Array(64));
      answers += 1;
      await new Promise(setImmediate);
    }
    native.take(stream, new Float32Array(64));
    native.flush(stream);
  }
  return answers;
}

const workerCode = `
require('naudiodon');
const native = require('parley-sound');
const { parentPort, workerData } = require('node:worker_threads');
const { input, output, early } = workerData;
// An open stream must not keep an environment alive.
setInterval(() => {}, 1000);
const open = async () => {
  const opening = [native.openMicrophone(input, 480, () => {}), native.openSpeaker(output)];
  if (!early) await Promise.all(opening);
};
open().then(() => parentPort.postMessage('open'));
`;

/** Environments end while their streams are open or opening. */
async function endEnvironments(): Promise<number> {
  const native = loadNativeSound();
  const devices = await native.initialize(1);
  const input = planFor(devices, 'defaultInput');
  const output = planFor(devices, 'defaultOutput');
  for (let time = 0; time < 6; time += 1) {
    const early = time % 2 === 1;
    const worker = new Worker(workerCode, { eval: true, workerData: { input, output, early } });
    await once(worker, 'message');
    await worker.terminate();
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  return Number(addon()['wakerCount']?.());
}

/** Opens and closes the microphone often, and counts the handles that wake JavaScript: at the last opening, and at the end. */
async function openOften() {
  const driver = createPortAudioDriver();
  const wakers = (): number => Number(addon()['wakerCount']?.());
  const problems: string[] = [];
  let open = 0;
  for (let time = 0; time < 200; time += 1) {
    const listener = { captured: () => undefined };
    const microphone = await driver.openMicrophone('default', inputRate, listener);
    if (!microphone.ok) {
      problems.push(microphone.error.code);
      continue;
    }
    open = wakers();
    await microphone.value.close();
  }
  // Handles close at the end of a loop iteration, so they are gone in the next.
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
  return { problems, wakers: [open, wakers()] };
}

async function throwInCallback(): Promise<void> {
  const opened = await createPortAudioDriver().openMicrophone('default', inputRate, {
    captured: () => {
      throw new Error('the listener failed');
    },
  });
  if (!opened.ok) throw new Error(opened.error.code);
  // Long enough to capture something; a lost exception lets the process end normally.
  await new Promise((resolve) => setTimeout(resolve, 5000));
  process.exit(0);
}

async function throwInGuardedCallback(): Promise<void> {
  guardProcess({ log: composeLog(), end: printToStderr, isLongRunning: true });
  await throwInCallback();
}

const cases = {
  passForeignValues,
  openExtremePlans,
  collectStreams,
  queryWhileClosing,
  endEnvironments,
  openOften,
  throwInCallback,
  throwInGuardedCallback,
};

export async function run(name: string): Promise<void> {
  // An open stream must not keep the process alive.
  const holding = setInterval(() => undefined, 1000);
  const misuse = Object.entries(cases).find(([known]) => known === name)?.[1];
  process.stdout.write(`${JSON.stringify(await misuse?.())}\n`);
  clearInterval(holding);
}
