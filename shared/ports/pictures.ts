import type { Outcome } from '../errors/app-error.ts';
import type { CaptureSource } from '../vision/vision-options.ts';

/** Pictures as far as the core reads them. */
export interface Pictures {
  /** Size and main colours, most frequent first, as plain English words. */
  readonly probe: (file: Uint8Array) => Promise<Outcome<PictureFacts>>;
  /** Checks a picture a person gave and makes it a JPEG fit to send: upright, no metadata. */
  readonly prepare: (file: Uint8Array, maxSide: number) => Promise<Outcome<Uint8Array>>;
}

export interface PictureFacts {
  readonly width: number;
  readonly height: number;
  readonly colours: readonly string[];
}

/** Frames of a camera or a screen on their way to the model. */
export interface Frames {
  /**
   * Checks a JPEG, turns it upright, cuts and shrinks it as `plan` says for its upright size, and
   * encodes it anew without metadata. Off the JS thread; whoever calls sees to it that one is enough.
   */
  readonly prepare: (file: Uint8Array, plan: PlanFrame) => Promise<Outcome<PreparedFrame>>;
}

/** What is to become of a picture: which pixels of it, and how large they go. */
export interface FramePlan {
  readonly crop:
    | {
        readonly left: number;
        readonly top: number;
        readonly width: number;
        readonly height: number;
      }
    | undefined;
  readonly width: number;
  readonly height: number;
}

/** Where the picture is in another process, its plan comes from this one. */
export type PlanFrame = (upright: {
  readonly width: number;
  readonly height: number;
}) => FramePlan | Promise<FramePlan>;

export interface PreparedFrame {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The frame as 16 × 16 grey values, row by row: what is the same in two of them has not moved. */
  readonly signature: Uint8Array;
}

/** Screens and windows that can be shown, as the system lists them. */
export interface Shareables {
  readonly list: (thumbnails: boolean) => Promise<Outcome<readonly CaptureSource[]>>;
}

/** What a process that only decodes pictures is asked. One thing at a time: the next after its outcome. */
export type PictureRequest =
  /** Whether its decoders load, and which they are. */
  | { readonly ask: 'part' }
  | { readonly ask: 'probe'; readonly file: Uint8Array }
  | { readonly ask: 'prepare'; readonly file: Uint8Array; readonly maxSide: number }
  | { readonly ask: 'frame'; readonly file: Uint8Array }
  | { readonly ask: 'plan'; readonly plan: FramePlan };

/** What it says; whoever gets it from the process has to look whether it is that. */
export type PictureAnswer =
  | { readonly tell: 'ready' }
  | { readonly tell: 'upright'; readonly width: number; readonly height: number }
  | { readonly tell: 'outcome'; readonly outcome: unknown };
