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

/** Reads captured sound from the addon in whole blocks; a remainder stays in the ring. */
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
    const began = (counters[counterAt.markTime] ?? 0) + from / rate;
    for (let block = 0; block < blocks; block += 1) {
      const samples = new Float32Array(blockSamples);
      this.#native.take(stream, samples);
      this.#listener.captured(samples, (began + (block * blockSamples) / rate) * 1000);
    }
  };
}

export function microphoneStream(
  native: NativeSound,
  { stream, device, rate, close }: OpenDeviceStream,
): MicrophoneStream {
  const counters = new Float64Array(counterCount);
  const liveness = new Liveness();
  let closed = false;
  return {
    device,
    rate,
    stats: () => {
      if (!closed) native.readCounters(stream, counters);
      return {
        alive: !closed && liveness.of(counters),
        captured: counters[counterAt.underrunsOrCaptured] ?? 0,
        lost: counters[counterAt.missedOrLost] ?? 0,
        repaired: counters[counterAt.repaired] ?? 0,
        latencyMs: (counters[counterAt.latency] ?? 0) * 1000,
      };
    },
    close: async () => {
      if (closed) return;
      closed = true;
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
  let closed = false;
  let heardSoFar = 0;

  function readStats(): SpeakerStreamStats {
    if (!closed) native.readCounters(stream, counters);
    const played = counters[counterAt.moved] ?? 0;
    heardSoFar = Math.max(heardSoFar, heardPosition(counters, rate));
    return {
      alive: !closed && liveness.of(counters),
      played,
      heard: Math.min(heardSoFar, played),
      queued: closed ? 0 : (counters[counterAt.queued] ?? 0),
      underruns: counters[counterAt.underrunsOrCaptured] ?? 0,
      repaired: counters[counterAt.repaired] ?? 0,
      latencyMs: (counters[counterAt.latency] ?? 0) * 1000,
    };
  }

  return {
    device,
    rate,
    write: (samples) => (closed ? 0 : native.write(stream, samples)),
    flush: () => {
      if (closed) return { played: counters[counterAt.moved] ?? 0, dropped: 0 };
      return native.flush(stream);
    },
    setVolume: (volume) => {
      if (!closed) native.setVolume(stream, Math.min(1, Math.max(0, volume)));
    },
    takePlayed: (into) => {
      if (closed) return { count: 0, position: 0, heardAt: 0 };
      native.readCounters(stream, counters);
      const position = counters[counterAt.historyAt] ?? 0;
      const count = native.take(stream, into);
      const ahead = position - (counters[counterAt.markSounded] ?? 0);
      const heardAt = (counters[counterAt.markTime] ?? 0) + ahead / rate;
      return { count, position, heardAt: heardAt * 1000 };
    },
    stats: readStats,
    close: async () => {
      if (closed) return;
      readStats();
      closed = true;
      await close();
    },
  };
}

/** Extrapolates from the newest block's time, up to the samples handed over. */
function heardPosition(counters: Float64Array, rate: number): number {
  const now = counters[counterAt.now] ?? 0;
  const since = now - (counters[counterAt.markTime] ?? 0);
  const heard = Math.floor((counters[counterAt.markPosition] ?? 0) + since * rate);
  return Math.max(0, Math.min(heard, counters[counterAt.moved] ?? 0));
}

/** Callbacks come every 10 ms and checks every 250 ms, so a dead device is detected within a second. */
const deadAfterSeconds = 0.5;

/** A check that comes later means that the machine paused; pending callbacks follow. */
const maxCheckSeconds = 0.3;

/** A suspended device requests its first samples immediately and more only after it has resumed. */
const firstCallbacks = 10;
const resumeWithinSeconds = 3;

export class Liveness {
  #callbacks = -1;
  #checkedAt = 0;
  #silentSeconds = 0;

  of(counters: Float64Array): boolean {
    const callbacks = counters[counterAt.callbacks] ?? 0;
    const now = performance.now() / 1000;
    this.#silentSeconds += Math.min(now - this.#checkedAt, maxCheckSeconds);
    this.#checkedAt = now;
    if (callbacks !== this.#callbacks) {
      this.#callbacks = callbacks;
      this.#silentSeconds = 0;
    }
    const limitSeconds = callbacks < firstCallbacks ? resumeWithinSeconds : deadAfterSeconds;
    return counters[counterAt.active] === 1 && this.#silentSeconds < limitSeconds;
  }
}
