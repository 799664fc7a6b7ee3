import { frameTokens } from '../protocol/realtime-api.ts';

export interface FrameInfo {
  /** When the frame was sent, by the core's clock. */
  readonly at: number;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  /** Number of slices, limited by the frame's size. */
  readonly slices: number;
  /** An estimate until the server reports its count. */
  readonly tokens: number;
  /** `tokens`, and `slices` if reported, come from the server. */
  readonly counted?: true | undefined;
}

/** The server's count for the newest frame. */
export type FrameCount = Pick<FrameInfo, 'at' | 'tokens' | 'slices'>;

export interface VisionFrame {
  readonly facts: FrameInfo;
  readonly jpeg: Uint8Array;
}

/** A frame grabbed by a page. */
export interface OfferedFrame {
  readonly jpeg: Uint8Array;
  /** Set if the page prepared the frame: 16 × 16 grey values. Similar signatures mean that nothing moved. */
  readonly signature?: Uint8Array | undefined;
}

export type FrameOutcome =
  | { readonly outcome: 'taken' }
  /** Dropped, because it came too early for the rate. */
  | { readonly outcome: 'early' }
  /** Replaced by a newer frame while others were processed, or outdated by new options. */
  | { readonly outcome: 'replaced' }
  /** The scene has not changed since the last frame sent. */
  | { readonly outcome: 'unchanged' }
  /** Dropped by the frame budget. */
  | { readonly outcome: 'overBudget' }
  /** Vision is off, or no talk takes frames. */
  | { readonly outcome: 'notWanted' }
  /** Unreadable; the reason is reported once. */
  | { readonly outcome: 'refused' };

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** The model divides a frame into slices; it sees this many pixels of each, whatever its shape (decision 18). */
const slicePixels = 448 * 448;

/** The largest size of which the model sees every pixel. Never larger than the frame. */
export function usefulSize({ width, height }: FrameSize, slices: number): FrameSize {
  const scale = Math.min(1, Math.sqrt((slices * slicePixels) / (width * height)));
  if (scale === 1) return { width, height };
  // Rounded down, so that a pixel too many never needs another slice.
  return {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  };
}

/** Number of slices that a frame of this size fills. */
export function usedSlices({ width, height }: FrameSize, slices: number): number {
  return Math.min(slices, Math.max(1, Math.ceil((width * height) / slicePixels)));
}

/** The largest JPEG accepted from a page; a 4K frame has 1 to 4 MB. */
export const maxFrameBytes = 16 * 1024 * 1024;

/** The largest frame that is decoded; 8K has 33 million pixels. */
export const maxFramePixels = 40_000_000;

/** JPEG quality of frames, chosen by measurement (decision 18). */
export const frameJpegQuality = 80;

export const signatureSide = 16;

export const minFramesPerSecond = 0.05;

/** An append carries one frame at most and lasts at least 250 ms. */
export const maxFramesPerSecond = 4;

/** The least width and height of a selection, as a share of the picture's. A smaller selection is probably an accident. */
export const minFrameArea = 0.01;

/** 64 at one slice and 192 at four are known; the others lie on the line through both. */
export function pictureTokens(slices: number): number {
  const perSlice = (frameTokens.fourSlices - frameTokens.oneSlice) / 3;
  return Math.round(frameTokens.oneSlice + (slices - 1) * perSlice);
}
