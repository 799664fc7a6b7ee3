import { createRequire } from 'node:module';

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
  /** In seconds. */
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

/** The exports of `electron/audio/native`. Promises reject with PortAudio's message. */
export interface NativeSound {
  /** The number of PortAudio copies. Each has its own device table and streams. */
  readonly copies: number;
  readonly initialize: (copy: number) => Promise<readonly NativeDevice[]>;
  /** Ends a copy and its streams. */
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
  /** Reads captured samples from a microphone, or played samples from a speaker. */
  readonly take: (stream: NativeStream, into: Float32Array) => number;
  /** Fills the array as {@link counterAt} says. */
  readonly readCounters: (stream: NativeStream, counters: Float64Array) => void;
}

/** Indices of `readCounters`. Times are in seconds, and positions in samples of one channel. */
export const counterAt = {
  active: 0,
  callbacks: 1,
  now: 2,
  latency: 3,
  /** Speaker: samples passed to the device. Microphone: samples read. */
  moved: 4,
  queued: 5,
  /** Speaker: underruns. Microphone: samples captured. */
  underrunsOrCaptured: 6,
  /** Speaker: samples of silence due to underruns. Microphone: samples lost. */
  missedOrLost: 7,
  repaired: 8,
  markPosition: 9,
  markTime: 10,
  /** Speaker: the position, silence included, of the sample that is heard at `markTime`. */
  markSounded: 11,
  /** Speaker: the position of the next sample that `take` returns, among all samples that went out. */
  historyAt: 12,
} as const;

export const counterCount = 13;

/** Loads naudiodon first, because the addon shares its PortAudio. Do not bundle either package. */
export function loadNativeSound(): NativeSound {
  const load = createRequire(import.meta.url);
  load('naudiodon');
  return load('parley-sound') as NativeSound;
}
