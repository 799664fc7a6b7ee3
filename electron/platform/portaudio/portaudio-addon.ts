import { createRequire } from 'node:module';

/** A stream inside the addon. */
export interface NativeStream {
  readonly nativeStream: unique symbol;
}

export interface StreamPlan {
  /** The copy of PortAudio that lists the device. */
  readonly copy: number;
  readonly device: number;
  readonly rate: number;
  readonly channels: number;
  readonly framesPerBuffer: number;
  /** Seconds. */
  readonly latency: number;
  readonly ringSamples: number;
}

export interface NativeDevice {
  readonly index: number;
  readonly name: string;
  readonly hostApi: string;
  readonly inputChannels: number;
  readonly outputChannels: number;
  readonly rate: number;
  readonly defaultInput: number;
  readonly defaultOutput: number;
}

/** The exports of `electron/audio/native`. Promises reject with PortAudio's own words. */
export interface NativeSound {
  /** PortAudio is loaded so many times; each copy has its own table of devices and its own streams. */
  readonly copies: number;
  readonly initialize: (copy: number) => Promise<readonly NativeDevice[]>;
  /** Ends the streams of that copy, too. */
  readonly terminate: (copy: number) => Promise<void>;
  readonly openSpeaker: (plan: StreamPlan) => Promise<NativeStream>;
  readonly openMicrophone: (
    plan: StreamPlan,
    blockSamples: number,
    wake: () => void,
  ) => Promise<NativeStream>;
  readonly close: (stream: NativeStream) => Promise<void>;
  readonly write: (stream: NativeStream, samples: Float32Array) => number;
  readonly flush: (stream: NativeStream) => { readonly played: number; readonly dropped: number };
  readonly setVolume: (stream: NativeStream, volume: number) => void;
  /** From a microphone what it heard; from a speaker what it played. */
  readonly take: (stream: NativeStream, into: Float32Array) => number;
  /** Fills {@link counterAt}. */
  readonly readCounters: (stream: NativeStream, counters: Float64Array) => void;
}

/** Where `readCounters` puts what. */
export const counterAt = {
  active: 0,
  callbacks: 1,
  now: 2,
  latency: 3,
  /** Speaker: samples handed to the device. Microphone: samples read. */
  moved: 4,
  queued: 5,
  /** Speaker: underruns. Microphone: samples captured. */
  underrunsOrCaptured: 6,
  /** Speaker: samples of silence for want of sound. Microphone: samples lost. */
  missedOrLost: 7,
  repaired: 8,
  markPosition: 9,
  markTime: 10,
  /** Speaker: like the position, but silence is counted as well. */
  markSounded: 11,
  /** Speaker: the place of what `take` takes next in all that went out. */
  historyAt: 12,
} as const;

export const counterCount = 13;

/**
 * naudiodon first: it brings PortAudio's library, and the addon then uses the very one it loaded.
 * Both are packages around a native file and must not be bundled.
 */
export function loadNativeSound(): NativeSound {
  const load = createRequire(import.meta.url);
  load('naudiodon');
  return load('parley-sound') as NativeSound;
}
