import { frameTokens } from '../protocol/realtime-api.ts';

/** What is known of a frame as it goes to the model. */
export interface FrameInfo {
  /** When it was sent, on the core's clock. */
  readonly at: number;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  /** Into how many slices it may be cut, as far as its size lets it. */
  readonly slices: number;
  /** An estimate, until the server's own figure comes with the step. */
  readonly tokens: number;
  /** `tokens`, and `slices` where it tells them, are the server's own figures. */
  readonly counted?: true | undefined;
}

/** What the server says of the newest frame that went to it. */
export type FrameCount = Pick<FrameInfo, 'at' | 'tokens' | 'slices'>;

/** A frame and the very bytes of it. */
export interface VisionFrame {
  readonly facts: FrameInfo;
  readonly jpeg: Uint8Array;
}

/** A frame as a page has grabbed it. */
export interface OfferedFrame {
  readonly jpeg: Uint8Array;
  /**
   * Where the page has made it as the model is to see it: the frame as 16 × 16 grey values, row by row. What is the same in two of
   * them has not moved.
   */
  readonly signature?: Uint8Array | undefined;
}

/** What became of a frame that was offered. */
export type FrameOutcome =
  | { readonly outcome: 'taken' }
  /** Sooner than the rate wants; nothing was done with it. */
  | { readonly outcome: 'early' }
  /** A newer one came while others were being worked on. */
  | { readonly outcome: 'replaced' }
  /** Nothing has moved since the last one that went. */
  | { readonly outcome: 'still' }
  /** Others are worth more: the memory has room for only so many. */
  | { readonly outcome: 'saved' }
  /** Vision is switched off, or no talk takes frames. */
  | { readonly outcome: 'closed' }
  /** It cannot be read; why is told on its own, once. */
  | { readonly outcome: 'refused' };

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Pixels the model sees in one slice, whatever the slice's shape (decision 18). */
const slicePixels = 448 * 448;

/** The largest size of which the model sees every pixel with this many slices; never a larger one. */
export function usefulSize({ width, height }: FrameSize, slices: number): FrameSize {
  const scale = Math.min(1, Math.sqrt((slices * slicePixels) / (width * height)));
  if (scale === 1) return { width, height };
  // Rounded down, so that a pixel too many never asks for one slice more than was wanted.
  return {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  };
}

/** Into how many slices a frame of this size is worth cutting. */
export function usedSlices({ width, height }: FrameSize, slices: number): number {
  return Math.min(slices, Math.max(1, Math.ceil((width * height) / slicePixels)));
}

/** The largest JPEG that is taken from a page: a frame of 4K has 1 to 4 MB. */
export const maxFrameBytes = 16 * 1024 * 1024;

/** The largest frame that is decoded: 8K has 33 million pixels. */
export const maxFramePixels = 40_000_000;

/** Of what goes to the model; chosen by measurement: see decision 18. */
export const frameJpegQuality = 80;

/** Rows and columns of a frame's signature. */
export const signatureSide = 16;

export const minFramesPerSecond = 0.05;

/** An append carries at least 250 ms, and one frame. */
export const maxFramesPerSecond = 4;

/** Less of a picture than this is a slip of the hand. */
export const minFrameArea = 0.01;

/** 64 at one slice and 192 at four are known; the others lie on the line through both. */
export function pictureTokens(slices: number): number {
  const perSlice = (frameTokens.fourSlices - frameTokens.oneSlice) / 3;
  return Math.round(frameTokens.oneSlice + (slices - 1) * perSlice);
}
