import type { ListedDevice, SoundChoice } from '../../../shared/settings/audio-settings.ts';
import type { Outcome } from '../../../shared/errors/app-error.ts';

export type SoundDevice = ListedDevice;

export type DeviceChoice = SoundChoice;

/** The sound system. A stream whose device dies reports that in its stats. */
export interface SoundDriver {
  /** Lists the current devices without disturbing open streams. */
  readonly devices: () => Promise<Outcome<readonly SoundDevice[]>>;
  /** True if the system moves streams to a new default device; otherwise the default has to be polled. */
  readonly systemMovesStreams: boolean;
  readonly openSpeaker: (device: DeviceChoice, rate: number) => Promise<Outcome<SpeakerStream>>;
  readonly openMicrophone: (
    device: DeviceChoice,
    rate: number,
    listener: CaptureListener,
  ) => Promise<Outcome<MicrophoneStream>>;
}

/** Captures the sound that this computer plays, as a stream like a microphone's. */
export type OpenComputerSound = (listener: CaptureListener) => Promise<Outcome<MicrophoneStream>>;

export interface CaptureListener {
  /** A block of 20 ms that the listener owns, with its capture time in ms on a clock that all streams share. */
  captured(block: Float32Array, capturedAt: number): void;
}

export interface SpeakerStream {
  readonly device: SoundDevice;
  /** The opened rate; the device's own rate if it refuses the requested one. */
  readonly rate: number;
  /** Returns how many samples were queued; the rest did not fit. Never blocks. */
  readonly write: (samples: Float32Array) => number;
  /** Drops the queue after a fade of 5 ms; `played` counts every sample that still goes out. */
  readonly flush: () => { readonly played: number; readonly dropped: number };
  /** From 0 to 1, applied without a click. */
  readonly setVolume: (volume: number) => void;
  /**
   * Copies the samples sent to the device since the last call; discards them if the last call was more than a few seconds ago.
   */
  readonly takePlayed: (into: Float32Array) => PlayedChunk;
  readonly stats: () => SpeakerStreamStats;
  /** Closes within a bounded time, even if the device is dead. */
  readonly close: () => Promise<void>;
}

export interface PlayedChunk {
  readonly count: number;
  /** Position of the first sample in the whole stream. */
  readonly position: number;
  /** Time when the first sample is heard, on the clock of captured blocks. */
  readonly heardAt: number;
}

export interface SpeakerStreamStats {
  readonly alive: boolean;
  /** Samples that the device has taken since opening. The count drops if the device discards some. */
  readonly played: number;
  /** Samples that have left the device, and so were heard. */
  readonly heard: number;
  readonly queued: number;
  /** How many times the queue ran empty, at the end of a sentence or within it. */
  readonly underruns: number;
  /** Samples that were not finite and were replaced with silence. */
  readonly repaired: number;
  readonly latencyMs: number;
}

export interface MicrophoneStream {
  readonly device: SoundDevice;
  readonly rate: number;
  readonly stats: () => MicrophoneStreamStats;
  readonly close: () => Promise<void>;
}

export interface MicrophoneStreamStats {
  readonly alive: boolean;
  readonly captured: number;
  /** Samples lost because the reader fell behind the ring buffer. */
  readonly lost: number;
  readonly repaired: number;
  readonly latencyMs: number;
}

/** Messages of the probe process: it is ready to probe, and it survived opening the sound system. */
export type SoundProbeMessage = 'ready' | 'survived';
