import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import { CaptureController } from './capture-controller.ts';
import { createFrameSnapshotter } from './frame-snapshotter.ts';
import { createVideoDevices } from './video-devices.ts';

const hidden = (): boolean => document.hidden;

export function connectCaptureController(bridge: Bridge): CaptureController {
  const capture = new CaptureController({
    devices: createVideoDevices(navigator),
    now: () => performance.now(),
    after: createBackgroundTimer(hidden, createTimerWorker),
    createSnapshotter: createFrameSnapshotter,
    hidden,
    allow: async (permission) => {
      const reply = await bridge.request('setCapturePermission', permission);
      return reply.ok;
    },
    sendSettings: async (settings) => {
      const reply = await bridge.request('setVisionOptions', settings);
      return reply.ok;
    },
    offer: async (frame) => {
      const reply = await bridge.request('pushFrame', frame);
      return reply.ok ? reply.value : undefined;
    },
  });
  bridge.onNotice(({ name }) => {
    if (name === 'frameSent') capture.frameSent();
  });
  bridge.onConnection((connection) => {
    if (connection === 'connected') void capture.reconnected();
    else capture.coreLost();
  });
  return capture;
}

export type RunAfter = (milliseconds: number, run: () => void) => () => void;

/** In a hidden page a worker runs the timers, because browsers fire the page's own only once a minute. */
export function createBackgroundTimer(isHidden: () => boolean, makeWorker: () => Worker): RunAfter {
  const waiting = new Map<number, () => void>();
  let worker: Worker | undefined;
  let nextId = 0;

  function workerFor(): Worker {
    if (worker !== undefined) return worker;
    worker = makeWorker();
    worker.addEventListener('message', ({ data }: MessageEvent<number>) => {
      const run = waiting.get(data);
      waiting.delete(data);
      run?.();
    });
    return worker;
  }

  return (milliseconds, run) => {
    if (!isHidden()) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    }
    const id = nextId;
    nextId += 1;
    waiting.set(id, run);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    workerFor().postMessage({ id, milliseconds });
    return () => {
      waiting.delete(id);
    };
  };
}

function createTimerWorker(): Worker {
  return new Worker(new URL('timer-worker.ts', import.meta.url), { type: 'module' });
}
