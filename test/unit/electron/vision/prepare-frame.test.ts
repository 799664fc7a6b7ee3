import { describe, expect, it } from 'vitest';
import {
  areaWithin,
  planFrame,
  prepareFrame,
  readPlainJpeg,
} from '../../../../electron/vision/prepare-frame.ts';
import { StillnessDetector } from '../../../../electron/vision/stillness-detector.ts';
import { usedSlices, usefulSize } from '../../../../shared/vision/vision-frame.ts';
import { FakeFrames } from '../../../fakes/fake-pictures.ts';
import { seeded } from '../../../fakes/seeded.ts';

const segment = (kind: number, ...content: readonly number[]): readonly number[] => {
  const length = content.length + 2;
  return [0xff, kind, length >> 8, length & 255, ...content];
};
const jfif = segment(0xe0, ...new TextEncoder().encode('JFIF\0'), 1, 1);
const tables = [...segment(0xdb, 0, ...Array<number>(64).fill(1)), ...segment(0xc4, 0, 1, 2)];
const sized = (width: number, height: number, kind = 0xc0): readonly number[] =>
  segment(kind, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0);
const scan = [...segment(0xda, 1, 1, 0, 0, 63, 0), 17, 0xff, 0, 18];

const file = (...parts: readonly (readonly number[])[]): Uint8Array =>
  Uint8Array.from([0xff, 0xd8, ...parts.flat(), ...scan, 0xff, 0xd9]);
const plain = (width: number, height: number): Uint8Array =>
  file(jfif, tables, sized(width, height));

describe('a plain JPEG', () => {
  it('is read with its size in each known encoding', () => {
    for (const kind of [0xc0, 0xc1, 0xc2]) {
      const jpeg = file(jfif, tables, sized(597, 336, kind));
      expect(readPlainJpeg(jpeg)).toEqual({ jpeg, width: 597, height: 336 });
    }
  });

  it('loses its metadata', () => {
    const profile = segment(0xe2, ...new TextEncoder().encode('ICC_PROFILE\0'), 1, 1, 9, 9);
    const comment = segment(0xfe, 1, 2, 3);
    const said = file(jfif, profile, tables, comment, sized(40, 30));
    expect(readPlainJpeg(said)).toEqual({ jpeg: plain(40, 30), width: 40, height: 30 });
  });

  it.each([
    ['rotated, or with other EXIF data', file(jfif, segment(0xe1, 1, 2), tables, sized(4, 3))],
    ['in another color space', file(segment(0xee, 1, 2), tables, sized(4, 3))],
    ['encoded in an unknown way', file(jfif, tables, sized(4, 3, 0xc9))],
    ['without a size', file(jfif, tables)],
    ['of no height', file(jfif, tables, sized(4, 0))],
    ['cut off', plain(4, 3).subarray(0, -1)],
    ['without pixels', Uint8Array.from([0xff, 0xd8, ...jfif, ...sized(4, 3), 0xff, 0xd9])],
    ['of another format', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xd9])],
    [
      'with a segment longer than the file',
      Uint8Array.from([0xff, 0xd8, 0xff, 0xc0, 0xff, 0xff, 0xff, 0xd9]),
    ],
    ['empty', new Uint8Array()],
  ])('is not recognized if it is %s', (_name, bytes) => {
    expect(readPlainJpeg(bytes)).toBeUndefined();
  });

  it('is read without errors from random bytes', () => {
    const random = seeded(7);
    for (let round = 0; round < 5000; round += 1) {
      const bytes = plain(40, 30);
      for (let flip = 0; flip < 4; flip += 1)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      const read = readPlainJpeg(bytes.subarray(0, Math.floor(random() * (bytes.length + 1))));
      if (read !== undefined) expect(read.jpeg.length).toBeLessThanOrEqual(bytes.length);
    }
  });
});

describe('a frame prepared by the page', () => {
  const signature = new Uint8Array(256).fill(9);
  const left = { left: 0, top: 0, width: 0.5, height: 1 };
  const whole = { jpeg: plain(597, 336), signature };

  it('is used unchanged if it matches the plan', async () => {
    const frames = new FakeFrames();
    const prepared = await prepareFrame(frames, whole, (size) => planFrame(size, undefined, 1));
    expect(prepared).toEqual({ ok: true, value: { ...whole, width: 597, height: 336 } });
    expect(frames.prepared).toEqual([]);
  });

  it.each([
    ['has become too large', whole, undefined, 0.5],
    ['now needs a crop', whole, left, 1],
    ['is not marked as ready', { jpeg: whole.jpeg }, undefined, 1],
    [
      'is not a plain file',
      { jpeg: FakeFrames.draw({ width: 4, height: 3, grey: 1 }), signature },
      undefined,
      1,
    ],
  ])('is prepared again in the core if it %s', async (_name, frame, area, slices) => {
    const frames = new FakeFrames();
    await prepareFrame(frames, frame, (size) => planFrame(size, area, slices));
    expect(frames.prepared).toEqual([frame.jpeg]);
  });
});

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
  ])('is $is for a picture of $of and $slices slices', ({ of: [width, height], slices, is }) => {
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
});

it('areaWithin converts an area within an area to the full picture', () => {
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

const evenSignature = (grey: number) => new Uint8Array(256).fill(grey);

function detectorAfter(sent: Uint8Array): StillnessDetector {
  const stillness = new StillnessDetector();
  stillness.recordSent(sent, 0);
  return stillness;
}

describe('stillness', () => {
  it('ends when a small object moves', () => {
    const moved = evenSignature(100);
    moved[77] = 120;
    expect(detectorAfter(evenSignature(100)).isStill(moved, 1000)).toBe(false);
  });

  it('ends after a slow drift, measured from the last frame sent', () => {
    const stillness = detectorAfter(evenSignature(100));
    const still = [101, 102, 103].map((grey) => stillness.isStill(evenSignature(grey), 10 * grey));
    expect(still).toEqual([true, true, false]);
  });

  it('lasts five seconds at most', () => {
    expect(detectorAfter(evenSignature(100)).isStill(evenSignature(100), 4999)).toBe(true);
    expect(detectorAfter(evenSignature(100)).isStill(evenSignature(100), 5000)).toBe(false);
  });
});
