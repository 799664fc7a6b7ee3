import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { PictureDecoder } from '../../electron/platform/pictures/picture-decoder.ts';
import { PictureThread } from '../../electron/platform/pictures/picture-thread.ts';
import { createFrames, createPictures } from '../../electron/platform/pictures/pictures.ts';
import { planFrame } from '../../electron/vision/prepare-frame.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { Frames, Pictures, PlanFrame, PreparedFrame } from '../../shared/ports/pictures.ts';
import { FakeFrames, FakePictures } from '../fakes/fake-pictures.ts';
import { unwrap } from '../fakes/unwrap.ts';

/** Runs the built worker, because the sources contain no file that a thread can run. */
const thread = new PictureThread(resolve(import.meta.dirname, '../../out/main/picture-worker.js'));
/** Finds no built entry beside the sources, and so decodes in the test’s thread. */
const pictureWorkHere = new PictureThread();

afterAll(() => {
  thread.end();
});

interface PicturesKind {
  readonly name: string;
  readonly pictures: Pictures;
  readonly paint: (width: number, height: number, colour: string) => Promise<Uint8Array>;
}

const paintJpeg = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

const kinds: readonly PicturesKind[] = [
  { name: 'real pictures', pictures: createPictures(pictureWorkHere), paint: paintJpeg },
  { name: 'real pictures of another thread', pictures: createPictures(thread), paint: paintJpeg },
  {
    name: 'fake pictures',
    pictures: new FakePictures(),
    paint: (width, height) => Promise.resolve(FakePictures.draw({ width, height })),
  },
];

const text = (content: string) => new TextEncoder().encode(content);

describe.each(kinds)('the $name', ({ pictures, paint }) => {
  const both = async (file: Uint8Array) => [
    await pictures.measure(file),
    await pictures.prepare(file, 100),
  ];

  it('measure the size', async () => {
    expect(await pictures.measure(await paint(40, 30, 'red'))).toEqual({
      ok: true,
      value: { width: 40, height: 30 },
    });
  });

  it.each([
    { maxSide: 20, width: 20, height: 15 },
    { maxSide: 400, width: 40, height: 30 },
  ])(
    'are scaled to at most $maxSide pixels a side, and never enlarged',
    async ({ maxSide, width, height }) => {
      const fitting = unwrap(await pictures.prepare(await paint(40, 30, 'blue'), maxSide));
      expect([...fitting.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
      expect(await pictures.measure(fitting)).toEqual({
        ok: true,
        value: { width, height },
      });
    },
  );

  it('refuse empty files and files that are not pictures', async () => {
    for (const outcome of await both(text('hello'))) expect(outcome).toEqual(failure('notPicture'));
    for (const outcome of await both(new Uint8Array())) {
      expect(outcome).toEqual(failure('emptyPicture'));
    }
  });

  it('refuse a truncated picture', async () => {
    const whole = await paint(400, 300, 'green');
    const cut = whole.subarray(0, whole.length / 2);
    expect(await pictures.prepare(cut, 100)).toEqual(failure('pictureBroken'));
  });
});

const real = createPictures(pictureWorkHere);

async function prepared(file: Uint8Array, maxSide = 1000): Promise<Uint8Array> {
  return unwrap(await real.prepare(file, maxSide));
}

describe('pictures decoded in another thread', () => {
  const threaded = createPictures(thread);

  it('equal those decoded in this thread', async () => {
    const file = await paintJpeg(640, 480, 'orange');
    expect(await threaded.measure(file)).toEqual(await real.measure(file));
    expect(await threaded.prepare(file, 100)).toMatchObject({ ok: true });
    const outcome = await threaded.prepare(file, 100);
    const bytes = outcome.ok ? Buffer.from(outcome.value) : undefined;
    expect(bytes?.equals(Buffer.from(await prepared(file, 100)))).toBe(true);
  });
});

/** A PNG of a few bytes whose header claims a size. */
async function pngThatClaims(width: number, height: number, options = {}): Promise<Uint8Array> {
  const picture = sharp(await paintJpeg(8, 8, 'red')).toColourspace('rgb16');
  const file = Buffer.from(await picture.png(options).toBuffer());
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  return file;
}

describe('pictures that are too large', () => {
  it.each([
    ['more than 50 million pixels', 10_000, 10_000],
    ['a side over 65,535', 1_000_000, 8],
  ])('are refused by the real decoder from the header alone: %s', async (_what, width, height) => {
    // Decoding would call it broken, because the data is missing.
    const file = await pngThatClaims(width, height);
    const large = failure('pictureLarge', { width, height });
    expect(await real.measure(file)).toEqual(large);
    expect(await real.prepare(file, 100)).toEqual(large);
  });

  it('make the decoder report that it has grown too large', async () => {
    const decoder = await PictureDecoder.load();
    expect(decoder.fit(await paintJpeg(3000, 2000, 'red'), 100)).not.toHaveLength(0);
    expect(decoder.hasOutgrown()).toBe(false);
    const claimed = await pngThatClaims(32_000, 1500, { progressive: true });
    expect(() => decoder.fit(claimed, 100)).toThrow();
    expect(decoder.hasOutgrown()).toBe(true);
  });
});

async function factsOf(file: Uint8Array): Promise<readonly unknown[]> {
  const { width, height, exif, icc, orientation } = await sharp(file).metadata();
  return [width, height, exif, icc, orientation];
}

const noMetadata = [undefined, undefined, undefined];

describe('the real pictures', () => {
  it('turn pictures upright, and drop metadata', async () => {
    const rotated = await sharp(await paintJpeg(40, 20, 'red'))
      .withExif({ IFD0: { Copyright: 'someone' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(await real.measure(rotated)).toMatchObject({ value: { width: 20, height: 40 } });
    expect(await factsOf(await prepared(rotated))).toEqual([20, 40, ...noMetadata]);
  });

  it('render transparency as white', async () => {
    const file = await sharp({
      create: { width: 20, height: 20, channels: 4, background: '#00000000' },
    })
      .png()
      .toBuffer();
    const { data } = await sharp(await prepared(file))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(Math.min(...data)).toBeGreaterThan(250);
  });

  it('use the first frame of an animation', async () => {
    const frames = Buffer.concat([Buffer.alloc(300, Buffer.from([255, 0, 0])), Buffer.alloc(300)]);
    const file = await sharp(frames, {
      raw: { width: 10, height: 20, channels: 3, pageHeight: 10 },
    })
      .webp({ delay: [100, 100], loop: 0, lossless: true })
      .toBuffer();
    expect((await sharp(file).metadata()).pages).toBe(2);
    expect(await real.measure(file)).toMatchObject({ value: { width: 10, height: 10 } });
    expect((await sharp(await prepared(file)).metadata()).height).toBe(10);
  });

  it.each([
    ['<?xml version="1.0"?>\n<svg xmlns="x"/>', 'pictureSvg'],
    ['%PDF-1.7\n', 'picturePdf'],
    ['not a photo', 'notPicture'],
  ] as const)('refuse %j', async (file, code) => {
    expect(await real.measure(text(file))).toEqual(failure(code));
  });

  it.each(['gif', 'tiff', 'avif', 'png', 'webp'] as const)(
    'accept %s, or name it in the refusal',
    async (format) => {
      const painted = sharp(await paintJpeg(20, 10, 'yellow'));
      const file = await painted.toFormat(format).toBuffer();
      const other = failure('otherPicture', { kind: format.toUpperCase() });
      const isKnown = format === 'png' || format === 'webp';
      const size = { ok: true, value: { width: 20, height: 10 } };
      expect(await real.measure(file)).toEqual(isKnown ? size : other);
      expect(await real.prepare(file, 100)).toEqual(
        isKnown ? { ok: true, value: expect.any(Uint8Array) as unknown } : other,
      );
    },
  );

  it('have a decoder that reads no SVG, GIF or TIFF', async () => {
    const decoder = await PictureDecoder.load();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const painted = sharp(await paintJpeg(20, 10, 'red'));
    const others = [svg, await painted.gif().toBuffer(), await painted.tiff().toBuffer()];
    for (const file of others) expect(() => decoder.measure(file)).toThrow();
  });

  it('convert CMYK to screen colours', async () => {
    const red = sharp(await paintJpeg(20, 10, '#c03020'));
    const file = await red.toColourspace('cmyk').jpeg().toBuffer();
    const { channels } = await sharp(await prepared(file)).metadata();
    expect(channels).toBe(3);
    const [r, g, b] = await sharp(await prepared(file))
      .raw()
      .toBuffer();
    expect([r, g, b].map((value = 0) => value > 128)).toEqual([true, false, false]);
  });
});

interface FrameSource {
  readonly name: string;
  readonly frames: Frames;
  readonly paint: (width: number, height: number, grey: number) => Promise<Uint8Array>;
}

const paintGrey = (width: number, height: number, grey: number) =>
  paintJpeg(width, height, `rgb(${grey}, ${grey}, ${grey})`);

const frameSources: readonly FrameSource[] = [
  { name: 'real frames', frames: createFrames(pictureWorkHere), paint: paintGrey },
  { name: 'real frames of another thread', frames: createFrames(thread), paint: paintGrey },
  {
    name: 'fake frames',
    frames: new FakeFrames(),
    paint: (width, height, grey) => Promise.resolve(FakeFrames.draw({ width, height, grey })),
  },
];

const unchanged: PlanFrame = (size) => planFrame(size, undefined, 1);

async function preparedFrame(
  frames: Frames,
  file: Uint8Array,
  plan: PlanFrame = unchanged,
): Promise<PreparedFrame> {
  return unwrap(await frames.prepare(file, plan));
}

describe.each(frameSources)('the $name', ({ frames, paint }) => {
  it('encode a JPEG of the planned size', async () => {
    const { jpeg, width, height } = await preparedFrame(frames, await paint(1280, 720, 90));
    expect([...jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect([width, height]).toEqual([597, 336]);
  });

  it('compute a signature of 16 × 16 grey values', async () => {
    const { signature } = await preparedFrame(frames, await paint(640, 480, 90));
    expect(signature).toHaveLength(256);
    expect(Math.abs((signature[0] ?? 0) - 90)).toBeLessThan(3);
  });

  it.each([
    ['nothing', new Uint8Array(), 'frameNotJpeg'],
    ['a text', new TextEncoder().encode('hello'), 'frameNotJpeg'],
    ['a JPEG of three bytes', Uint8Array.of(0xff, 0xd8, 0xff), 'frameBroken'],
  ] as const)('refuse %s', async (_what, file, code) => {
    expect(await frames.prepare(file, unchanged)).toEqual(failure(code));
  });

  it('refuse a truncated picture', async () => {
    const file = await paint(640, 480, 90);
    expect(await frames.prepare(file.subarray(0, file.length / 2), unchanged)).toEqual(
      failure('frameBroken'),
    );
  });

  it('refuse more than 40 million pixels', async () => {
    expect(await frames.prepare(await paint(8000, 6000, 90), unchanged)).toEqual(
      failure('frameLarge', { width: 8000, height: 6000 }),
    );
  });
});

const realFrames = createFrames(thread);

/** Left half red, right half blue. */
async function twoColours(width: number, height: number): Promise<Uint8Array> {
  const half = {
    create: { width: width / 2, height, channels: 3, background: '#0000ff' },
  } as const;
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([{ input: await sharp(half).png().toBuffer(), left: width / 2, top: 0 }])
    .jpeg()
    .toBuffer();
}

async function meanColour(jpeg: Uint8Array): Promise<readonly number[]> {
  const { data } = await sharp(jpeg).resize(1, 1).raw().toBuffer({ resolveWithObject: true });
  return [...data];
}

describe('the real frames', () => {
  it('turn pictures upright before cropping, and drop metadata', async () => {
    // Displayed turned by 90°, with the blue half at the bottom.
    const lying = await sharp(await twoColours(400, 200))
      .withExif({ IFD0: { Copyright: 'someone' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const bottom = { left: 0, top: 0.5, width: 1, height: 0.5 };
    const frame = await preparedFrame(realFrames, lying, (size) => planFrame(size, bottom, 1));
    expect([frame.width, frame.height]).toEqual([200, 200]);
    const [red, green, blue] = await meanColour(frame.jpeg);
    expect([red, green, blue].map((value) => Math.round((value ?? 0) / 255))).toEqual([0, 0, 1]);
    expect(await factsOf(frame.jpeg)).toEqual([200, 200, ...noMetadata]);
  });

  it('refuse more bytes than a frame may have', async () => {
    const file = new Uint8Array(16 * 1024 * 1024 + 1);
    file.set([0xff, 0xd8, 0xff]);
    expect(await realFrames.prepare(file, unchanged)).toMatchObject({
      ok: false,
      error: { code: 'frameHeavy', facts: { size: 16_777_217 } },
    });
  });

  it('leave the JS thread free during work on 4K', async () => {
    const noise = Buffer.alloc(3840 * 2160 * 3);
    for (let at = 0; at < noise.length; at += 1) noise[at] = (at * 2_654_435_761) >>> 24;
    const file = await sharp(noise, { raw: { width: 3840, height: 2160, channels: 3 } })
      .jpeg({ quality: 90 })
      .toBuffer();
    await preparedFrame(realFrames, file);
    const began = performance.now();
    const before = performance.eventLoopUtilization();
    await preparedFrame(realFrames, file);
    const busy = performance.eventLoopUtilization(before).active;
    const took = performance.now() - began;
    // Work on this thread would have kept it busy the whole time.
    expect(busy).toBeLessThan(took * 0.75);
  });
});
