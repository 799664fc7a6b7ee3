import type { Outcome } from '../errors/app-error.ts';
import type { FrameSize } from '../vision/vision-frame.ts';
import type { CaptureSource } from '../vision/vision-options.ts';

export interface Pictures {
  /** The size after EXIF rotation. */
  readonly measure: (file: Uint8Array) => Promise<Outcome<FrameSize>>;
  /** Validates a picture file and converts it to a JPEG: upright, without metadata. */
  readonly prepare: (file: Uint8Array, maxSide: number) => Promise<Outcome<Uint8Array>>;
}

/** Camera and screen frames on their way to the model. */
export interface Frames {
  /**
   * Validates a JPEG, turns it upright, crops and scales it by the plan for its size, and encodes it without metadata. Runs
   * in another thread. Callers must limit concurrent calls.
   */
  readonly prepare: (file: Uint8Array, plan: PlanFrame) => Promise<Outcome<PreparedFrame>>;
}

/** An area in pixels of the upright picture. */
export interface PixelArea extends FrameSize {
  readonly left: number;
  readonly top: number;
}

/** The crop and the output size of a frame. */
export interface FramePlan extends FrameSize {
  readonly crop: PixelArea | undefined;
}

export type PlanFrame = (upright: FrameSize) => FramePlan;

export interface PreparedFrame extends FrameSize {
  readonly jpeg: Uint8Array;
  /** 16 × 16 grey values, row by row. If those of two frames are similar, nothing has moved. */
  readonly signature: Uint8Array;
}

/** Screens and windows that the system offers for sharing. */
export interface Shareables {
  readonly list: (withThumbnails: boolean) => Promise<Outcome<readonly CaptureSource[]>>;
}
