import type { PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameArea } from '../../../shared/vision/vision-options.ts';

/** In fractions of the picture's width and height. */
export interface PicturePoint {
  readonly x: number;
  readonly y: number;
}

/** A smaller area is treated as a slip of the hand, and would be too small to grab again. */
const minSide = 0.05;

/** The initial area: centred, so that it can be moved as well as redrawn. */
export const centeredArea: FrameArea = { left: 0.25, top: 0.25, width: 0.5, height: 0.5 };

const step = 0.02;

/** How far an arrow key moves, by its name. */
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

/** Describes an area to those who do not see it. */
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

export function areaBetween(first: PicturePoint, second: PicturePoint, least = minSide): FrameArea {
  const [left, width] = span(first.x, second.x, least);
  const [top, height] = span(first.y, second.y, least);
  return { left, top, width, height };
}

export function moveArea(area: FrameArea, x: number, y: number): FrameArea {
  return {
    ...area,
    left: within(area.left + x, 0, 1 - area.width),
    top: within(area.top + y, 0, 1 - area.height),
  };
}

/** Moves the right and lower edges. */
export function resizeArea(area: FrameArea, x: number, y: number, least = minSide): FrameArea {
  return {
    ...area,
    width: within(area.width + x, least, 1 - area.left),
    height: within(area.height + y, least, 1 - area.top),
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

function span(first: number, second: number, least: number): readonly [number, number] {
  const from = within(Math.min(first, second), 0, 1 - least);
  const to = within(Math.max(first, second), from + least, 1);
  return [from, to - from];
}

function within(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}
