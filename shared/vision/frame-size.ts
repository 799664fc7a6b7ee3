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
