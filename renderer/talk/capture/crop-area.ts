import type { FrameArea } from '../../../shared/vision/vision-options.ts';

/** A place on a picture, in fractions of its width and height. */
export interface PicturePoint {
  readonly x: number;
  readonly y: number;
}

/** Less than this is a slip of the hand, and could not be taken hold of again. */
const minSide = 0.05;

/** Where the choosing begins: in the middle, so that it can be moved as well as drawn. */
export const centeredArea: FrameArea = { left: 0.25, top: 0.25, width: 0.5, height: 0.5 };

/** The part between two corners, whichever they are. */
export function areaBetween(one: PicturePoint, other: PicturePoint): FrameArea {
  const [left, width] = span(one.x, other.x);
  const [top, height] = span(one.y, other.y);
  return { left, top, width, height };
}

export function moveArea(area: FrameArea, x: number, y: number): FrameArea {
  return {
    ...area,
    left: within(area.left + x, 0, 1 - area.width),
    top: within(area.top + y, 0, 1 - area.height),
  };
}

/** Its right and lower edges go further out or in. */
export function resizeArea(area: FrameArea, x: number, y: number): FrameArea {
  return {
    ...area,
    width: within(area.width + x, minSide, 1 - area.left),
    height: within(area.height + y, minSide, 1 - area.top),
  };
}

/** The same part as a mirrored or flipped preview shows it; done twice it is what it was. */
export function previewArea(
  area: FrameArea,
  { mirror, flip }: { readonly mirror: boolean; readonly flip: boolean },
): FrameArea {
  return {
    ...area,
    left: mirror ? 1 - area.left - area.width : area.left,
    top: flip ? 1 - area.top - area.height : area.top,
  };
}

export function isInArea({ left, top, width, height }: FrameArea, { x, y }: PicturePoint): boolean {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

function span(one: number, other: number): readonly [number, number] {
  const from = within(Math.min(one, other), 0, 1 - minSide);
  const to = within(Math.max(one, other), from + minSide, 1);
  return [from, to - from];
}

function within(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}
