import { usefulSize } from '../../shared/vision/frame-size.ts';
import type { FrameSize } from '../../shared/vision/frame-size.ts';
import type { FrameArea } from '../../shared/vision/vision-options.ts';
import type { FramePlan } from '../ports/pictures.ts';

/** Pixels of an upright picture. */
export interface PixelArea extends FrameSize {
  readonly left: number;
  readonly top: number;
}

/** Plans a frame so that it has no pixel the model cannot see, and none that was not there. */
export function planFrame(
  picture: FrameSize,
  area: FrameArea | undefined,
  slices: number,
): FramePlan {
  const crop = area === undefined ? undefined : pixelArea(picture, area);
  return { crop, ...usefulSize(crop ?? picture, slices) };
}

/** A part of a part, as fractions of the whole. */
export function areaWithin(
  outer: FrameArea | undefined,
  inner: FrameArea | undefined,
): FrameArea | undefined {
  if (outer === undefined || inner === undefined) return outer ?? inner;
  return {
    left: outer.left + inner.left * outer.width,
    top: outer.top + inner.top * outer.height,
    width: inner.width * outer.width,
    height: inner.height * outer.height,
  };
}

/** At least one pixel, and none outside; the whole picture needs no cropping. */
function pixelArea({ width, height }: FrameSize, area: FrameArea): PixelArea | undefined {
  const left = Math.min(width - 1, Math.max(0, Math.round(area.left * width)));
  const top = Math.min(height - 1, Math.max(0, Math.round(area.top * height)));
  const right = Math.min(width, Math.max(left + 1, Math.round((area.left + area.width) * width)));
  const bottom = Math.min(height, Math.max(top + 1, Math.round((area.top + area.height) * height)));
  if (right - left === width && bottom - top === height) return undefined;
  return { left, top, width: right - left, height: bottom - top };
}
