import { describe, expect, it } from 'vitest';
import { areaWithin, planFrame } from '../../../../electron/vision/prepare-frame.ts';
import { usedSlices, usefulSize } from '../../../../shared/vision/vision-frame.ts';
import { seeded } from '../../../fakes/seeded.ts';

const slice = 448 * 448;

describe('the useful size', () => {
  it.each([
    { of: [1280, 720], slices: 1, is: [597, 336] },
    { of: [1280, 720], slices: 4, is: [1194, 672] },
    { of: [1280, 720], slices: 9, is: [1280, 720] },
    { of: [3840, 2160], slices: 9, is: [1792, 1008] },
    { of: [720, 1280], slices: 1, is: [336, 597] },
    { of: [448, 448], slices: 1, is: [448, 448] },
    { of: [449, 448], slices: 1, is: [448, 447] },
    { of: [3, 2], slices: 9, is: [3, 2] },
    { of: [40_000, 10], slices: 1, is: [28_334, 7] },
    // The longest side a JPEG can have.
    { of: [65_535, 4], slices: 1, is: [57_343, 3] },
  ])('is $is for $of at $slices slices', ({ of: [width, height], slices, is }) => {
    const size = usefulSize({ width: width ?? 0, height: height ?? 0 }, slices);
    expect([size.width, size.height]).toEqual(is);
  });

  it('almost fills the smaller of the picture and the model’s limit', () => {
    const random = seeded(5);
    for (let round = 0; round < 2000; round += 1) {
      const width = 1 + Math.floor(random() * 5000);
      const height = 1 + Math.floor(random() * 5000);
      const slices = 1 + Math.floor(random() * 9);
      const size = usefulSize({ width, height }, slices);
      expect(size.width).toBeLessThanOrEqual(width);
      expect(size.height).toBeLessThanOrEqual(height);
      expect(size.width).toBeGreaterThanOrEqual(1);
      expect(size.height).toBeGreaterThanOrEqual(1);
      if (Math.min(size.width, size.height) < 40) continue;
      expect(size.width * size.height).toBeLessThanOrEqual(slices * slice);
      const possible = Math.min(width * height, slices * slice);
      expect((size.width + 1) * (size.height + 1)).toBeGreaterThanOrEqual(possible);
      expect(Math.abs(Math.log((size.width / size.height) * (height / width)))).toBeLessThan(0.05);
      expect(usedSlices(size, slices)).toBeLessThanOrEqual(slices);
    }
  });

  it('gives the number of slices that a small picture fills', () => {
    expect(usedSlices({ width: 640, height: 480 }, 9)).toBe(2);
    expect(usedSlices({ width: 10, height: 10 }, 9)).toBe(1);
  });
});

describe('a plan', () => {
  const picture = { width: 1001, height: 501 };
  it('crops nothing for the whole picture', () => {
    const all = { left: 0, top: 0, width: 1, height: 1 };
    expect(planFrame(picture, all, 9).crop).toBeUndefined();
    expect(planFrame(picture, undefined, 9).crop).toBeUndefined();
  });

  it('crops whole pixels, at least one and within the picture', () => {
    const random = seeded(6);
    for (let round = 0; round < 1000; round += 1) {
      const left = random();
      const top = random();
      const area = { left, top, width: random() * (1 - left), height: random() * (1 - top) };
      const { crop, width, height } = planFrame(picture, area, 2);
      const { left: x, top: y, ...size } = crop ?? { left: 0, top: 0, ...picture };
      for (const value of [x, y, size.width, size.height])
        expect(Number.isInteger(value)).toBe(true);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(size.width).toBeGreaterThanOrEqual(1);
      expect(size.height).toBeGreaterThanOrEqual(1);
      expect(x + size.width).toBeLessThanOrEqual(picture.width);
      expect(y + size.height).toBeLessThanOrEqual(picture.height);
      expect({ width, height }).toEqual(usefulSize(size, 2));
    }
  });

  it('crops the given area', () => {
    const area = { left: 0.25, top: 0.5, width: 0.5, height: 0.25 };
    expect(planFrame({ width: 400, height: 200 }, area, 1).crop).toEqual({
      left: 100,
      top: 100,
      width: 200,
      height: 50,
    });
  });
});

it('an area within an area is relative to the whole', () => {
  const outer = { left: 0.5, top: 0.2, width: 0.4, height: 0.8 };
  const inner = { left: 0.5, top: 0.5, width: 0.5, height: 0.25 };
  expect(areaWithin(outer, inner)).toEqual({
    left: 0.7,
    top: 0.6000000000000001,
    width: 0.2,
    height: 0.2,
  });
  expect(areaWithin(undefined, inner)).toBe(inner);
  expect(areaWithin(outer, undefined)).toBe(outer);
});
