import type { Outcome } from '../errors/app-error.ts';
import type { FrameSize } from '../vision/vision-frame.ts';
import type { CaptureSource } from '../vision/vision-options.ts';

/** Pictures as far as the core reads them. */
export interface Pictures {
  /** The upright size. */
  readonly measure: (file: Uint8Array) => Promise<Outcome<FrameSize>>;
  /** Checks a picture a person gave and makes it a JPEG fit to send: upright, no metadata. */
  readonly prepare: (file: Uint8Array, maxSide: number) => Promise<Outcome<Uint8Array>>;
}

/** Frames of a camera or a screen on their way to the model. */
export interface Frames {
  /**
   * Checks a JPEG, turns it upright, cuts and shrinks it as `plan` says for its upright size, and
   * encodes it anew without metadata. Off the JS thread; whoever calls sees to it that one is enough.
   */
  readonly prepare: (file: Uint8Array, plan: PlanFrame) => Promise<Outcome<PreparedFrame>>;
}

/** Pixels of an upright picture. */
export interface PixelArea extends FrameSize {
  readonly left: number;
  readonly top: number;
}

/** What is to become of a picture: which pixels of it, and how large they go. */
export interface FramePlan extends FrameSize {
  readonly crop: PixelArea | undefined;
}

export type PlanFrame = (upright: FrameSize) => FramePlan;

export interface PreparedFrame extends FrameSize {
  readonly jpeg: Uint8Array;
  /** The frame as 16 × 16 grey values, row by row: what is the same in two of them has not moved. */
  readonly signature: Uint8Array;
}

/** Screens and windows that can be shown, as the system lists them. */
export interface Shareables {
  readonly list: (thumbnails: boolean) => Promise<Outcome<readonly CaptureSource[]>>;
}
