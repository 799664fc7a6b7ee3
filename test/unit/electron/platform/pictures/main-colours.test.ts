import { describe, expect, it } from 'vitest';
import {
  mainColours,
  nameOfColour,
} from '../../../../../electron/platform/pictures/sharp-pictures.ts';

describe('the name of a colour', () => {
  it.each([
    ['black', 10, 10, 12],
    ['white', 250, 248, 245],
    ['grey', 128, 128, 128],
    ['red', 220, 20, 30],
    ['orange', 255, 140, 0],
    ['yellow', 250, 230, 20],
    ['green', 30, 160, 60],
    ['green', 0, 100, 0],
    ['cyan', 0, 220, 220],
    ['blue', 30, 60, 200],
    ['blue', 135, 206, 235],
    ['purple', 128, 0, 160],
    ['pink', 255, 105, 180],
    ['pink', 255, 182, 193],
    ['brown', 139, 69, 19],
    ['grey', 112, 128, 128],
  ])('%s is %i %i %i', (name, red, green, blue) => {
    expect(nameOfColour(red, green, blue)).toBe(name);
  });
});

describe('the main colours', () => {
  const pixels = (...counts: readonly (readonly [number, number, number, number])[]) =>
    Uint8Array.from(counts.flatMap(([n, ...rgb]) => Array.from({ length: n }, () => rgb).flat()));

  it('leave out what is a detail, but never everything', () => {
    expect(mainColours(pixels([5, 255, 0, 0], [90, 0, 0, 255], [5, 0, 255, 0]), 3)).toEqual([
      'blue',
    ]);
    expect(mainColours(pixels([1, 255, 0, 0]), 3)).toEqual(['red']);
  });

  it('are three at most', () => {
    const four = pixels([4, 255, 0, 0], [3, 0, 0, 255], [2, 0, 255, 0], [2, 255, 255, 255]);
    expect(mainColours(four, 3)).toEqual(['red', 'blue', 'green']);
  });
});
