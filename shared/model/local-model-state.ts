import type { AppError } from '../errors/app-error.ts';

/** The model's files on this computer. */
export type ModelFilesState =
  /** Parley has not looked for the files yet. */
  | { readonly kind: 'unknown' }
  /** `bytes` of `totalBytes` are there from an earlier download; 0 if there is nothing. */
  | { readonly kind: 'missing'; readonly bytes: number; readonly totalBytes: number }
  | ModelDownloadState
  | {
      readonly kind: 'verifying';
      readonly bytes: number;
      readonly totalBytes: number;
    }
  | {
      readonly kind: 'ready';
      readonly folder: string;
      readonly totalBytes: number;
      /** A folder that the user chose; Parley never deletes files there. */
      readonly isForeign: boolean;
    }
  | { readonly kind: 'failed'; readonly error: AppError; readonly bytes: number };

export interface ModelDownloadState {
  readonly kind: 'downloading' | 'paused';
  /** Position of the current file, from 1. */
  readonly file: number;
  readonly files: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly bytesPerSecond: number;
  /** Undefined until the speed is known. */
  readonly secondsLeft: number | undefined;
  /** The host that serves the files. */
  readonly mirror: string;
  /** The last failure, while the download waits to try again or goes on from another mirror. */
  readonly trouble?: AppError | undefined;
}

/** Free bytes that a download leaves for the rest of the system. */
export const modelReserveBytes = 1_000_000_000;

/** The process that runs the model. */
export type ModelServerState =
  | { readonly kind: 'stopped' }
  /** Loads the model and warms it with one session. */
  | {
      readonly kind: 'loading';
      /** From 0 to 1, estimated from the program's log and from how long the last load took. */
      readonly progress: number;
      readonly secondsLeft: number | undefined;
      /** Set if a ready model loads again, because talks and chats need different modes. */
      readonly switchesTo?: ModelUser | undefined;
    }
  | { readonly kind: 'ready'; readonly pace: ModelPace | undefined }
  | {
      readonly kind: 'restarting';
      readonly attempt: number;
      readonly seconds: number;
      readonly error: AppError;
    }
  | { readonly kind: 'failed'; readonly error: AppError };

/** A process of the model runs one session at a time: a talk's or a chat's. */
export type ModelUser = 'talk' | 'chat';

/** The longest p90 of a step with which talks are allowed. A step carries one second of sound, so a margin of 100 ms is left. */
export const maxVoiceStepMs = 900;

/** How fast the model answers, measured over the first ten steps after loading, which include those of the warm-up. */
export interface ModelPace {
  readonly medianMs: number;
  readonly p90Ms: number;
  /** `voice`: talks without restriction; `fewPictures`: at most one picture in two seconds; `chatOnly`: no talks. */
  readonly verdict: 'voice' | 'fewPictures' | 'chatOnly';
}

/** The hardware that Parley found. */
export interface ModelHardware {
  readonly card:
    | {
        readonly name: string;
        readonly kind: 'nvidia' | 'amd' | 'intel' | 'apple' | 'other';
        /** Memory of the card, or shared memory on Apple chips. */
        readonly memoryBytes: number | undefined;
        readonly freeBytes: number | undefined;
      }
    | undefined;
  readonly memoryBytes: number;
  readonly freeDiskBytes: number | undefined;
  readonly verdict: 'fit' | 'uncertain' | 'tooSmall' | 'noCard';
  /** Whether the card's memory can hold a talk's model and a chat's. */
  readonly hasRoomForTwo: boolean;
}

/** How chats use the model where the card has room for two. */
export type ChatPlace =
  /** Chats have their own process. */
  | { readonly kind: 'own'; readonly server: ModelServerState }
  /** The process for chats could not run, so chats take turns with talks. */
  | { readonly kind: 'turns'; readonly error: AppError };

/** Everything that the window shows of the model on this computer. */
export interface LocalModelState {
  readonly hardware: ModelHardware | undefined;
  /** Path of `llama-omni-server`, or undefined if Parley found none. */
  readonly program: string | undefined;
  readonly files: ModelFilesState;
  /** The process that talks use. */
  readonly server: ModelServerState;
  /** The current user of that process. */
  readonly user?: ModelUser | undefined;
  /** Undefined where talks and chats share one process, for lack of room or by the user's choice. */
  readonly chat?: ChatPlace | undefined;
}
