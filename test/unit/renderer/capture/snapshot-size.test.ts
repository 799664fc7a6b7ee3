import { expect, it } from 'vitest';
import { snapshotSize } from '../../../../renderer/capture/frame-grabber.ts';

const whole = { kind: 'whole' } as const;
const part = { kind: 'part' } as const;
const ready = (slices: number) => ({ kind: 'ready', slices }) as const;

it.each([
  [1280, 720, whole, 1280, 720],
  [3840, 2160, whole, 1920, 1080],
  [2160, 3840, whole, 1080, 1920],
  [3840, 2160, part, 3840, 2160],
  [7680, 4320, part, 3840, 2160],
  [30_000, 3, whole, 30_000, 3],
  [5120, 1440, whole, 2534, 713],
  [1280, 720, ready(1), 597, 336],
  [3840, 2160, ready(9), 1792, 1008],
  [320, 240, ready(1), 320, 240],
])('a picture of %i × %i (%j) is grabbed as %i × %i', (width, height, purpose, w, h) => {
  expect(snapshotSize({ width, height }, purpose)).toEqual({ width: w, height: h });
});
