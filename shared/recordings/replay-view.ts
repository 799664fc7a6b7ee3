import type { AppError } from '../errors/app-error.ts';
import type { DuplexMode } from '../protocol/realtime-api.ts';
import type { ReplayScene } from './replay-scene.ts';

/** The tapes that ship with Parley. */
export const replayExamples = ['voice', 'video', 'reconnect'] as const;

export type ReplayExample = (typeof replayExamples)[number];

/** What a page may ask to be opened: never a path. */
export type ReplaySource =
  /** By the name of its folder among the tapes that are kept. */
  | { readonly kind: 'tape'; readonly tape: string }
  | { readonly kind: 'example'; readonly example: ReplayExample };

/** What is open: also what a person dropped on the window, or named in a command. */
export type ReplayOrigin = ReplaySource | { readonly kind: 'file'; readonly name: string };

export interface ReplayFacts {
  readonly mode: DuplexMode;
  /** Scheme, host and path; `parley:demonstration` for the embedded server. */
  readonly endpoint: string;
  /** ISO 8601; may be empty. */
  readonly recordedAt: string;
  /** What its talk is called, where that is kept here as text. */
  readonly title?: string | undefined;
  /** The recorder was stopped: the tape ends in the middle. */
  readonly cut: boolean;
  /** Why its end is missing, where that is known. */
  readonly damage?: AppError | undefined;
}

/** Why a replay is silent, or that it is not. */
export type ReplaySound =
  | 'heard'
  /** Faster than speech can be understood. */
  | 'tooFast'
  /** It plays by the clock. */
  | 'noDevice';

/** `spoken` speeds have sound, with its pitch kept. */
export const replaySpeeds = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 8] as const;
export const fastestHeard = 4;

export type ReplaySpeedStep = (typeof replaySpeeds)[number];

/** Where the cursor stands and how it moves. */
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
  /** As it was at `play.at`. */
  readonly scene: ReplayScene;
}

/** The one replay of this Parley. */
export type ReplayView =
  | { readonly kind: 'none' }
  | { readonly kind: 'opening'; readonly origin: ReplayOrigin }
  /** Asked for outside the page, and not to be had. */
  | { readonly kind: 'failed'; readonly origin: ReplayOrigin; readonly error: AppError }
  | OpenReplay;

/** What a step goes to. */
export const replayStops = ['any', 'turn', 'interruption', 'picture', 'trouble'] as const;
export type ReplayStop = (typeof replayStops)[number];

/** What a tape's timeline shows, in milliseconds since the tape began. */
export interface TapeTimeline {
  readonly lengthMs: number;
  /** Up to here the rendered tape is made: before it everything is exact, after it only what the lines say. */
  readonly readyMs: number;
  readonly turns: readonly TapeTurn[];
  /** In the order of their times. */
  readonly marks: readonly TapeMark[];
  readonly ribbon: TapeLevels;
}

/** One answer as it was heard. */
export interface TapeTurn {
  readonly turn: number;
  readonly from: number;
  readonly to: number;
  /** It was silenced before its end. */
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

/** What can be gone to, beside the turns. */
export type TapeMarkKind = (typeof tapeMarkKinds)[number];

export interface TapeMark {
  readonly at: number;
  readonly kind: TapeMarkKind;
  /** Of a trouble, a lost device, an ending. */
  readonly error?: AppError | undefined;
  /** Of a picture. */
  readonly picture?: number | undefined;
}

/** How loud both voices were: a byte a point, from 0 for silence (−60 dBFS and below) to 255 for full scale. */
export interface TapeLevels {
  readonly everyMs: number;
  readonly you: Uint8Array;
  readonly parley: Uint8Array;
}
