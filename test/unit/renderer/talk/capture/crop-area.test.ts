import { describe, expect, it } from 'vitest';
import {
  areaBetween,
  previewArea,
  resizeArea,
  isInArea,
  moveArea,
} from '../../../../../renderer/talk/capture/crop-area.ts';

const area = { left: 0.25, top: 0.5, width: 0.5, height: 0.25 };

describe('the crop area', () => {
  it('spans any two corners, within the picture', () => {
    const drawn = { left: 0.5, top: 0.25, width: 0.25, height: 0.5 };
    expect(areaBetween({ x: 0.75, y: 0.75 }, { x: 0.5, y: 0.25 })).toEqual(drawn);
    expect(areaBetween({ x: -1, y: -1 }, { x: 2, y: 2 })).toEqual({
      left: 0,
      top: 0,
      width: 1,
      height: 1,
    });
  });

  it('is never too small to grab', () => {
    const { left, width, height } = areaBetween({ x: 1, y: 1 }, { x: 1, y: 1 });
    expect(width).toBeCloseTo(0.05);
    expect(height).toBeCloseTo(0.05);
    expect(left + width).toBeCloseTo(1);
  });

  it('stays in the picture when it is moved or grown', () => {
    expect(moveArea(area, 1, 1)).toEqual({ ...area, left: 0.5, top: 0.75 });
    expect(moveArea(area, -1, -1)).toEqual({ ...area, left: 0, top: 0 });
    expect(resizeArea(area, 1, 1)).toEqual({ ...area, width: 0.75, height: 0.5 });
    expect(resizeArea(area, -1, -1)).toEqual({ ...area, width: 0.05, height: 0.05 });
  });

  it('converts to a mirrored and flipped preview and back', () => {
    const transform = { mirror: true, flip: true };
    const left = { left: 0, top: 0, width: 0.25, height: 0.25 };
    const shown = previewArea(left, transform);
    expect(shown).toEqual({ ...left, left: 0.75, top: 0.75 });
    expect(previewArea(shown, transform)).toEqual(left);
  });

  it('contains only points within its edges', () => {
    expect(isInArea(area, { x: 0.5, y: 0.6 })).toBe(true);
    expect(isInArea(area, { x: 0.5, y: 0.4 })).toBe(false);
  });
});
