import { expect, it } from 'vitest';
import { snapshotSize } from '../../../../renderer/capture/frame-snapshotter.ts';

it.each([
  [1280, 720, true, 1280, 720],
  [3840, 2160, true, 1920, 1080],
  [2160, 3840, true, 1080, 1920],
  [3840, 2160, false, 3840, 2160],
  [7680, 4320, false, 3840, 2160],
  [30_000, 3, true, 1920, 1],
])('a picture of %i × %i (whole: %s) is grabbed as %i × %i', (width, height, whole, w, h) => {
  expect(snapshotSize(width, height, whole)).toEqual({ width: w, height: h });
});
