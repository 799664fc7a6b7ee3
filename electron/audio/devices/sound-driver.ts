import type { ListedDevice } from '../../../shared/audio/listed-device.ts';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { SoundChoice } from '../../../shared/settings/audio-settings.ts';

/** A microphone or speaker as the sound system lists it. */
export type SoundDevice = ListedDevice;

/** By name, or whatever the system uses at the moment. */
export type DeviceChoice = SoundChoice;

/** The sound system, one stream at a time. Streams of a device that dies say so in their stats. */
export interface SoundDriver {
  /** Looks for the devices there are now; no stream notices. */
  readonly devices: () => Promise<Outcome<readonly SoundDevice[]>>;
  /** The system moves a stream of its own device when that becomes another one; else it has to be polled. */
  readonly systemMovesStreams: boolean;
  readonly openSpeaker: (device: DeviceChoice, rate: number) => Promise<Outcome<SpeakerStream>>;
  readonly openMicrophone: (
    device: DeviceChoice,
    rate: number,
    listener: CaptureListener,
  ) => Promise<Outcome<MicrophoneStream>>;
}

export interface CaptureListener {
  /**
   * A block of 20 ms, which is the listener's own. `capturedAt` is when its first sample came in, in
   * milliseconds of a clock that all streams of a driver share.
   */
  captured(block: Float32Array, capturedAt: number): void;
}

export interface SpeakerStream {
  readonly device: SoundDevice;
  /** The rate it was opened with: the device's own, where it refuses the one asked for. */
  readonly rate: number;
  /** Says how many were taken; what there is no room for is not. Never waits. */
  readonly write: (samples: Float32Array) => number;
  /** Drops what is queued, after a fade of 5 ms; `played` counts all samples that go out. */
  readonly flush: () => { readonly played: number; readonly dropped: number };
  /** From 0 to 1, reached without a click. */
  readonly setVolume: (volume: number) => void;
  /**
   * Copies what has gone to the device since it was last asked, silence and volume included. Where
   * that is longer than some seconds ago, what was missed is left out.
   */
  readonly takePlayed: (into: Float32Array) => PlayedChunk;
  readonly stats: () => SpeakerStreamStats;
  /** Ends the stream at once, and within a bounded time also a dead one. */
  readonly close: () => Promise<void>;
}

export interface PlayedChunk {
  readonly count: number;
  /** The first one's place in all that went to the device. */
  readonly position: number;
  /** When the first one is heard, by the clock that captured blocks go by. */
  readonly heardAt: number;
}

export interface SpeakerStreamStats {
  /** The device takes sound. */
  readonly alive: boolean;
  /** Samples handed to the device since the stream was opened. Fewer again where it has thrown some away. */
  readonly played: number;
  /** Samples that have left the device: what a person has heard. */
  readonly heard: number;
  readonly queued: number;
  /** How often sound ran out, at the end of a sentence or within it. */
  readonly underruns: number;
  /** Samples that were no number and have been made silence. */
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
  /** Samples captured since the stream was opened, lost ones not among them. */
  readonly captured: number;
  /** Samples lost because they were not read for longer than the ring is. */
  readonly lost: number;
  /** Samples that were no number and have been made silence. */
  readonly repaired: number;
  readonly latencyMs: number;
}

/** What the process that asks for the sound devices first says: that it runs and waits, and that the sound system has let it live. */
export type SoundProbeMessage = 'ready' | 'survived';
