import { Listeners } from '../../shared/listeners.ts';
import type { FrameOutcome, OfferedFrame } from '../../shared/vision/vision-frame.ts';
import type { CapturePermission, VisionOptions } from '../../shared/vision/vision-options.ts';
import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import { createFrameSnapshotter, FrameGrabber, type FrameGrabberDeps } from './frame-grabber.ts';
import {
  type CameraDevice,
  cameraEndedReason,
  cameraPermission,
  type CaptureLostReason,
  capturePermissionFor,
  createVideoDevices,
  isPermissionLost,
  isRetryable,
  openCaptureSource,
  toCaptureLostReason,
  type VideoDevices,
} from './video-devices.ts';

export type CaptureView =
  | { readonly state: 'off' }
  | { readonly state: 'opening' }
  /** The stream is for the preview; `unreadable` means that the core could not decode the last frame. */
  | {
      readonly state: 'open';
      readonly stream: MediaStream;
      readonly label: string;
      readonly unreadable: boolean;
    }
  | { readonly state: 'lost'; readonly reason: CaptureLostReason };

interface CaptureControllerDeps extends Omit<FrameGrabberDeps, 'offer'> {
  /** Resolves with what happened to the frame, or undefined if the core cannot be reached. */
  readonly offer: (frame: OfferedFrame) => Promise<FrameOutcome | undefined>;
  readonly devices: VideoDevices;
  /** Tells the core which capture is allowed. Resolves false if the core cannot be reached. */
  readonly allow: (permission: CapturePermission) => Promise<boolean>;
  readonly sendSettings: (settings: VisionOptions) => Promise<boolean>;
}

/** The part of the controller that the rest of the page uses. */
export type PageCapture = Pick<
  CaptureController,
  | 'open'
  | 'change'
  | 'close'
  | 'setPaused'
  | 'setFrozen'
  | 'cameras'
  | 'view'
  | 'subscribe'
  | 'follow'
  | 'setChunk'
  | 'setActive'
>;

/** No event says that another program released a camera, so a timer retries. */
const retryMs = 3000;

/** How long the capture stays open after the connection to the core is lost. */
const coreReturnsMs = 5000;

export class CaptureController {
  readonly #deps: CaptureControllerDeps;
  readonly #frameGrabber: FrameGrabber;
  readonly #subscribers = new Listeners<undefined>();
  #view: CaptureView = { state: 'off' };
  #wanted: VisionOptions | undefined;
  /** Counts opens and closes; results from before the last one are discarded. */
  #generation = 0;
  #trying = false;
  #stopRetrying: () => void = () => undefined;
  #stopAwaitingCore: () => void = () => undefined;

  constructor(deps: CaptureControllerDeps) {
    this.#deps = deps;
    this.#frameGrabber = new FrameGrabber({ ...deps, offer: this.#offer });
  }

  readonly view = (): CaptureView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => this.#subscribers.add(listener);

  /** Must be called from a click or a key press: browsers share a screen only then. */
  async open(settings: VisionOptions): Promise<void> {
    this.#release();
    this.#wanted = settings;
    this.#show({ state: 'opening' });
    await this.#try(this.#generation);
  }

  /** Applies rate, slices and crop to the open capture. If the source is another one, opens that instead. */
  async change(settings: VisionOptions): Promise<void> {
    const source = JSON.stringify(this.#wanted?.source);
    if (this.#wanted === undefined) return;
    if (source !== JSON.stringify(settings.source)) {
      await this.open(settings);
      return;
    }
    this.#wanted = settings;
    this.#frameGrabber.set(settings);
    await this.#deps.sendSettings(settings);
  }

  /** Applies stored settings that the core already knows. If the source is another one, opens that instead. */
  async follow(settings: VisionOptions): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    if (JSON.stringify(wanted.source) === JSON.stringify(settings.source)) {
      this.#wanted = settings;
      this.#frameGrabber.set(settings);
    } else await this.open(settings);
  }

  readonly cameras = (): Promise<readonly CameraDevice[]> =>
    this.#deps.devices.cameras().catch(() => []);

  async close(): Promise<void> {
    this.#release();
    this.#show({ state: 'off' });
    await this.#deps.allow({ open: 'nothing' });
  }

  /** The preview continues, but no frames are grabbed. */
  setPaused(paused: boolean): void {
    this.#frameGrabber.setPaused(paused);
  }

  setFrozen(frozen: boolean): void {
    this.#frameGrabber.setFrozen(frozen);
  }

  setChunk(milliseconds: number): void {
    this.#frameGrabber.setChunk(milliseconds);
  }

  /** Whether a talk takes frames; otherwise none are grabbed. */
  setActive(active: boolean): void {
    this.#frameGrabber.setActive(active);
  }

  frameSent(): void {
    this.#frameGrabber.frameSent();
  }

  /** The connection to the core is lost. The capture closes soon unless the core returns. */
  coreLost(): void {
    if (this.#wanted === undefined) return;
    this.#stopAwaitingCore();
    this.#stopAwaitingCore = this.#deps.after(coreReturnsMs, () => void this.close());
  }

  /** The core may have restarted, so it gets the permission and the options again. */
  async reconnected(): Promise<void> {
    this.#stopAwaitingCore();
    if (this.#wanted === undefined) return;
    await this.#deps.allow(capturePermissionFor(this.#wanted.source));
    await this.#deps.sendSettings(this.#wanted);
  }

  readonly #offer = async (frame: OfferedFrame): Promise<void> => {
    const generation = this.#generation;
    const offered = await this.#deps.offer(frame);
    if (generation !== this.#generation || this.#view.state !== 'open') return;
    const unreadable = offered?.outcome === 'refused';
    if (unreadable !== this.#view.unreadable) this.#show({ ...this.#view, unreadable });
  };

  async #try(generation: number): Promise<void> {
    const settings = this.#wanted;
    if (settings === undefined || this.#trying) return;
    this.#trying = true;
    const opened = await this.#openFor(settings);
    this.#trying = false;
    if (generation !== this.#generation) {
      if (typeof opened !== 'string') stop(opened);
      // Another source may have been requested while this one was opening.
      await this.#try(this.#generation);
      return;
    }
    if (typeof opened === 'string') this.#lose(opened);
    // The user may have changed the rate or the detail while the source was opening.
    else this.#attach(opened, this.#wanted ?? settings);
  }

  async #openFor(settings: VisionOptions): Promise<MediaStream | CaptureLostReason> {
    const { allow, sendSettings, devices } = this.#deps;
    const accepted =
      (await allow(capturePermissionFor(settings.source))) && (await sendSettings(settings));
    if (!accepted) return 'failed';
    try {
      return await openCaptureSource(devices, settings.source);
    } catch (error) {
      return toCaptureLostReason(error);
    }
  }

  #attach(stream: MediaStream, settings: VisionOptions): void {
    this.#stopRetrying();
    const generation = this.#generation;
    const [track] = stream.getVideoTracks();
    const deviceId = track?.getSettings().deviceId;
    track?.addEventListener('ended', () => {
      if (generation === this.#generation) void this.#ended(generation, settings, deviceId);
    });
    this.#frameGrabber.open(stream, settings);
    this.#show({ state: 'open', stream, label: track?.label ?? '', unreadable: false });
  }

  async #ended(generation: number, { source }: VisionOptions, deviceId: string | undefined) {
    this.#frameGrabber.close();
    const isCamera = source.kind === 'camera';
    const reason = isCamera ? await cameraEndedReason(this.#deps.devices, deviceId) : 'ended';
    if (generation === this.#generation) this.#lose(reason);
  }

  #lose(reason: CaptureLostReason): void {
    const shouldRetry = this.#wanted?.source.kind === 'camera' && isRetryable(reason);
    this.#show({ state: 'lost', reason });
    this.#stopRetrying();
    if (shouldRetry) this.#awaitReturn(reason, this.#generation);
    else {
      this.#wanted = undefined;
      void this.#deps.allow({ open: 'nothing' });
    }
  }

  #awaitReturn(reason: CaptureLostReason, generation: number): void {
    const { devices, after } = this.#deps;
    const retry = async (): Promise<void> => {
      if (isPermissionLost(reason) && (await cameraPermission(devices)) !== 'granted') return;
      if (generation === this.#generation && this.#view.state === 'lost')
        await this.#try(generation);
    };
    const stopListening = devices.onChange(() => void retry());
    const stopWaiting = isPermissionLost(reason)
      ? (): void => undefined
      : after(retryMs, () => void retry());
    this.#stopRetrying = () => {
      stopListening();
      stopWaiting();
    };
  }

  #release(): void {
    this.#generation += 1;
    this.#stopAwaitingCore();
    this.#wanted = undefined;
    this.#stopRetrying();
    this.#frameGrabber.close();
    this.#frameGrabber.dropFrozenFrame();
    if (this.#view.state === 'open') stop(this.#view.stream);
  }

  #show(view: CaptureView): void {
    this.#view = view;
    this.#subscribers.emit(undefined);
  }
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

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

type RunAfter = (milliseconds: number, run: () => void) => () => void;

/** In a hidden page a worker runs the timers, because a browser may fire the page's own only once a minute. */
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
