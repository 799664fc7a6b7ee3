import type { PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameArea } from '../../../shared/vision/vision-options.ts';

/** In fractions of the picture's width and height. */
export interface PicturePoint {
  readonly x: number;
  readonly y: number;
}

/** The least width and height of an area, as a share of the picture's. A smaller area is probably an accident, and too small
 * to be dragged. */
const defaultMinSide = 0.05;

/** The initial area: centred, so that it can be moved as well as redrawn. */
export const centeredArea: FrameArea = { left: 0.25, top: 0.25, width: 0.5, height: 0.5 };

const step = 0.02;

/** In fractions of the picture: how far each arrow key moves the area to the right and down. */
export const arrowSteps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
};

export function pointIn({ currentTarget, clientX, clientY }: PointerEvent): PicturePoint {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return { x: (clientX - left) / width, y: (clientY - top) / height };
}

/** Describes an area to screen readers. */
export function useAreaLabel(): (area: FrameArea) => string {
  const { t } = useTranslation();
  return ({ left, top, width, height }) =>
    t('talk.capture.part', {
      left: percent(left),
      top: percent(top),
      width: percent(width),
      height: percent(height),
    });
}

function percent(part: number): number {
  return Math.round(part * 100);
}

export function areaBetween(
  first: PicturePoint,
  second: PicturePoint,
  minSide = defaultMinSide,
): FrameArea {
  const [left, width] = span(first.x, second.x, minSide);
  const [top, height] = span(first.y, second.y, minSide);
  return { left, top, width, height };
}

export function moveArea(area: FrameArea, x: number, y: number): FrameArea {
  return {
    ...area,
    left: clamp(area.left + x, 0, 1 - area.width),
    top: clamp(area.top + y, 0, 1 - area.height),
  };
}

/** Moves the right and lower edges. */
export function resizeArea(
  area: FrameArea,
  x: number,
  y: number,
  minSide = defaultMinSide,
): FrameArea {
  return {
    ...area,
    width: clamp(area.width + x, minSide, 1 - area.left),
    height: clamp(area.height + y, minSide, 1 - area.top),
  };
}

/** Converts an area between the picture and its mirrored or flipped preview; it is its own inverse. */
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

function span(first: number, second: number, minSide: number): readonly [number, number] {
  const from = clamp(Math.min(first, second), 0, 1 - minSide);
  const to = clamp(Math.max(first, second), from + minSide, 1);
  return [from, to - from];
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
