import { frameTokens } from '../protocol/protocol-limits.ts';

/** 64 at one slice and 192 at four are known; the others lie on the line through both. */
export function pictureTokens(slices: number): number {
  const perSlice = (frameTokens.fourSlices - frameTokens.oneSlice) / 3;
  return Math.round(frameTokens.oneSlice + (slices - 1) * perSlice);
}
