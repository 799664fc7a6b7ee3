import type {
  CaptureListener,
  MicrophoneStream,
  SoundDevice,
  SpeakerStream,
  SpeakerStreamStats,
} from '../../audio/devices/sound-driver.ts';
import { counterAt, counterCount, type NativeSound, type NativeStream } from './portaudio-addon.ts';

const blocksPerSecond = 50;

export interface OpenDeviceStream {
  readonly stream: NativeStream;
  readonly device: SoundDevice;
  readonly rate: number;
  readonly close: () => Promise<void>;
}

/** Reads captured sound from the addon in whole blocks. The rest stays in the ring buffer. */
export class BlockReader {
  readonly #native: NativeSound;
  readonly #listener: CaptureListener;
  readonly #counters = new Float64Array(counterCount);
  #source: Pick<OpenDeviceStream, 'stream' | 'rate'> | undefined;

  constructor(native: NativeSound, listener: CaptureListener) {
    this.#native = native;
    this.#listener = listener;
  }

  static blockSamples(rate: number): number {
    return Math.round(rate / blocksPerSecond);
  }

  begin(source: Pick<OpenDeviceStream, 'stream' | 'rate'>): void {
    this.#source = source;
  }

  stop(): void {
    this.#source = undefined;
  }

  /** Called by the addon for each block, possibly before `begin`. */
  readonly drain = (): void => {
    if (this.#source === undefined) return;
    const { stream, rate } = this.#source;
    const blockSamples = BlockReader.blockSamples(rate);
    const counters = this.#counters;
    this.#native.readCounters(stream, counters);
    const blocks = Math.floor((counters[counterAt.queued] ?? 0) / blockSamples);
    const from = (counters[counterAt.moved] ?? 0) - (counters[counterAt.markPosition] ?? 0);
    const startSeconds = (counters[counterAt.markTime] ?? 0) + from / rate;
    for (let block = 0; block < blocks; block += 1) {
      const samples = new Float32Array(blockSamples);
      this.#native.take(stream, samples);
      this.#listener.captured(samples, (startSeconds + (block * blockSamples) / rate) * 1000);
    }
  };
}

export function microphoneStream(
  native: NativeSound,
  { stream, device, rate, close }: OpenDeviceStream,
): MicrophoneStream {
  const counters = new Float64Array(counterCount);
  const liveness = new Liveness();
  let isClosed = false;
  return {
    device,
    rate,
    stats: () => {
      if (!isClosed) native.readCounters(stream, counters);
      return {
        alive: !isClosed && liveness.isAlive(counters),
        captured: counters[counterAt.underrunsOrCaptured] ?? 0,
        lost: counters[counterAt.missedOrLost] ?? 0,
        repaired: counters[counterAt.repaired] ?? 0,
        latencyMs: (counters[counterAt.latency] ?? 0) * 1000,
      };
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await close();
    },
  };
}

export function speakerStream(
  native: NativeSound,
  { stream, device, rate, close }: OpenDeviceStream,
): SpeakerStream {
  const counters = new Float64Array(counterCount);
  const liveness = new Liveness();
  let isClosed = false;
  let maxHeard = 0;

  function readStats(): SpeakerStreamStats {
    if (!isClosed) native.readCounters(stream, counters);
    const played = counters[counterAt.moved] ?? 0;
    maxHeard = Math.max(maxHeard, heardPosition(counters, rate));
    return {
      alive: !isClosed && liveness.isAlive(counters),
      played,
      heard: Math.min(maxHeard, played),
      queued: isClosed ? 0 : (counters[counterAt.queued] ?? 0),
      underruns: counters[counterAt.underrunsOrCaptured] ?? 0,
      repaired: counters[counterAt.repaired] ?? 0,
      latencyMs: (counters[counterAt.latency] ?? 0) * 1000,
    };
  }

  return {
    device,
    rate,
    write: (samples) => (isClosed ? 0 : native.write(stream, samples)),
    flush: () => {
      if (isClosed) return { played: counters[counterAt.moved] ?? 0, dropped: 0 };
      return native.flush(stream);
    },
    setVolume: (volume) => {
      if (!isClosed) native.setVolume(stream, Math.min(1, Math.max(0, volume)));
    },
    takePlayed: (into) => {
      if (isClosed) return { count: 0, position: 0, heardAt: 0 };
      native.readCounters(stream, counters);
      const position = counters[counterAt.historyAt] ?? 0;
      const count = native.take(stream, into);
      const ahead = position - (counters[counterAt.markSounded] ?? 0);
      const heardAt = (counters[counterAt.markTime] ?? 0) + ahead / rate;
      return { count, position, heardAt: heardAt * 1000 };
    },
    stats: readStats,
    close: async () => {
      if (isClosed) return;
      readStats();
      isClosed = true;
      await close();
    },
  };
}

/** The number of samples heard by now, extrapolated from the time of the newest block, at most those passed to the device. */
function heardPosition(counters: Float64Array, rate: number): number {
  const now = counters[counterAt.now] ?? 0;
  const since = now - (counters[counterAt.markTime] ?? 0);
  const heard = Math.floor((counters[counterAt.markPosition] ?? 0) + since * rate);
  return Math.max(0, Math.min(heard, counters[counterAt.moved] ?? 0));
}

/** A stream without callbacks for this long is dead. Callbacks come every 10 ms, and checks every 250 ms. */
const maxSecondsWithoutCallback = 0.5;

/**
 * A check counts at most this much time without callbacks. A later check means that the whole machine was paused, callbacks
 * included.
 */
const maxCheckSeconds = 0.3;

/**
 * Until a stream has had this many callbacks, it may wait up to `maxResumeSeconds` for the next: a suspended device requests
 * its first samples at once, and more only after it has resumed.
 */
const minCallbacks = 10;
const maxResumeSeconds = 3;

/** Detects a stream whose device does not call back any more. */
export class Liveness {
  #callbacks = -1;
  #checkedAt = 0;
  #secondsWithoutCallback = 0;

  /** Whether the stream is alive. Called a few times a second. */
  isAlive(counters: Float64Array): boolean {
    const callbacks = counters[counterAt.callbacks] ?? 0;
    const now = performance.now() / 1000;
    this.#secondsWithoutCallback += Math.min(now - this.#checkedAt, maxCheckSeconds);
    this.#checkedAt = now;
    if (callbacks !== this.#callbacks) {
      this.#callbacks = callbacks;
      this.#secondsWithoutCallback = 0;
    }
    const limitSeconds = callbacks < minCallbacks ? maxResumeSeconds : maxSecondsWithoutCallback;
    return counters[counterAt.active] === 1 && this.#secondsWithoutCallback < limitSeconds;
  }
}
