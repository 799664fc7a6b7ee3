import { frameTokens } from '../protocol/protocol-limits.ts';

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
