import type { AppError } from '../errors/app-error.ts';
import type { DuplexMode } from '../protocol/realtime-api.ts';
import type { ReplayScene } from './replay-scene.ts';

export const replayExamples = ['voice', 'video', 'reconnect'] as const;

export type ReplayExample = (typeof replayExamples)[number];

/** Sources a page may open; paths are not allowed. */
export type ReplaySource =
  /** Folder name of a stored tape. */
  | { readonly kind: 'tape'; readonly tape: string }
  | { readonly kind: 'example'; readonly example: ReplayExample };

/** Where the open tape came from, including files the user dropped or named in a command. */
export type ReplayOrigin = ReplaySource | { readonly kind: 'file'; readonly name: string };

export interface ReplayFacts {
  readonly mode: DuplexMode;
  /** Scheme, host and path; `parley:demonstration` for the embedded server. */
  readonly endpoint: string;
  /** ISO 8601; may be empty. */
  readonly recordedAt: string;
  /** Title of the talk, if its text is stored. */
  readonly title?: string | undefined;
  /** The tape ends before the talk did. */
  readonly cut: boolean;
  /** Why the end of the talk is missing. */
  readonly damage?: AppError | undefined;
}

/** Whether a replay is audible, and why not. */
export type ReplaySound =
  | 'heard'
  /** Too fast to understand speech. */
  | 'tooFast'
  /** No output device, so the clock drives the cursor. */
  | 'noDevice';

/** Speeds up to `fastestHeard` have sound, at the original pitch. */
export const replaySpeeds = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 8] as const;
export const fastestHeard = 4;

export type ReplaySpeedStep = (typeof replaySpeeds)[number];

export interface ReplayPlay {
  readonly at: number;
  readonly playing: boolean;
  readonly speed: ReplaySpeedStep;
  readonly sound: ReplaySound;
}

export interface OpenReplay {
  readonly kind: 'open';
  readonly origin: ReplayOrigin;
  readonly facts: ReplayFacts;
  readonly timeline: TapeTimeline;
  readonly play: ReplayPlay;
  /** At `play.at`. */
  readonly scene: ReplayScene;
}

/** The app has one replay at a time. */
export type ReplayView =
  | { readonly kind: 'none' }
  | { readonly kind: 'opening'; readonly origin: ReplayOrigin }
  /** A tape opened outside the page failed to open. */
  | { readonly kind: 'failed'; readonly origin: ReplayOrigin; readonly error: AppError }
  | OpenReplay;

export const replayStops = ['any', 'turn', 'interruption', 'picture', 'trouble'] as const;
export type ReplayStop = (typeof replayStops)[number];

/** A tape's timeline, in milliseconds since the tape began. */
export interface TapeTimeline {
  readonly lengthMs: number;
  /** Rendered up to here; later marks and turns are estimates. */
  readonly readyMs: number;
  readonly turns: readonly TapeTurn[];
  readonly marks: readonly TapeMark[];
  readonly ribbon: TapeLevels;
}

/** One answer, as it was heard. */
export interface TapeTurn {
  readonly turn: number;
  readonly from: number;
  readonly to: number;
  readonly cut: boolean;
}

export const tapeMarkKinds = [
  'interruption',
  'picture',
  'reconnect',
  'device',
  'trouble',
  'ending',
] as const;

/** Kinds of marks on the timeline; a step can go to the next one of a kind. */
export type TapeMarkKind = (typeof tapeMarkKinds)[number];

export interface TapeMark {
  readonly at: number;
  readonly kind: TapeMarkKind;
  /** For troubles, lost devices and endings. */
  readonly error?: AppError | undefined;
  readonly picture?: number | undefined;
}

/** Level of both voices: one byte per point, from 0 (−60 dBFS and below) to 255 (full scale). */
export interface TapeLevels {
  readonly everyMs: number;
  readonly you: Uint8Array;
  readonly parley: Uint8Array;
}
