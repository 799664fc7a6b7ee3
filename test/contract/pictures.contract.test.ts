import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { PictureDecoder } from '../../electron/platform/pictures/picture-decoder.ts';
import { createPictures } from '../../electron/platform/pictures/pictures.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import { FakePictures } from '../fakes/fake-pictures.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { builtPictureThread, pictureWorkHere } from './picture-threads.ts';

interface PicturesKind {
  readonly name: string;
  readonly pictures: Pictures;
  readonly paint: (width: number, height: number, colour: string) => Promise<Uint8Array>;
}

const paintJpeg = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

const thread = builtPictureThread();
afterAll(() => {
  thread.end();
});

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

  it('refuse other files and empty ones', async () => {
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

  it('equal those of this thread', async () => {
    const file = await paintJpeg(640, 480, 'orange');
    expect(await threaded.measure(file)).toEqual(await real.measure(file));
    expect(await threaded.prepare(file, 100)).toMatchObject({ ok: true });
    const outcome = await threaded.prepare(file, 100);
    const bytes = outcome.ok ? Buffer.from(outcome.value) : undefined;
    expect(bytes?.equals(Buffer.from(await prepared(file, 100)))).toBe(true);
  });

  it('are accepted from any part of a larger buffer', async () => {
    const file = await paintJpeg(40, 30, 'red');
    const larger = new Uint8Array(file.length + 2000);
    larger.set(file, 1000);
    const part = larger.subarray(1000, 1000 + file.length);
    expect(await threaded.measure(part)).toMatchObject({ value: { width: 40, height: 30 } });
  });

  it('are measured in a queue, each with its own answer', async () => {
    const files = await Promise.all([30, 40, 50, 60].map((width) => paintJpeg(width, 9, 'red')));
    const all = await Promise.all(files.map((file) => threaded.measure(file)));
    expect(all.map((outcome) => outcome.ok && outcome.value.width)).toEqual([30, 40, 50, 60]);
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
  it('are refused by the fake pictures', async () => {
    const file = FakePictures.draw({ width: 10_000, height: 10_000 });
    expect(await new FakePictures().measure(file)).toMatchObject({ ok: false });
  });

  it.each([
    ['more than 50 million pixels', 10_000, 10_000],
    ['a side over 65,535', 1_000_000, 8],
  ])('are refused by the real ones from the header alone: %s', async (_what, width, height) => {
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

describe('the real pictures', () => {
  it('turn pictures upright, and drop metadata', async () => {
    const rotated = await sharp(await paintJpeg(40, 20, 'red'))
      .withExif({ IFD0: { Copyright: 'someone' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(await real.measure(rotated)).toMatchObject({ value: { width: 20, height: 40 } });
    const facts = await sharp(await prepared(rotated)).metadata();
    expect([facts.width, facts.height]).toEqual([20, 40]);
    expect([facts.exif, facts.icc, facts.orientation]).toEqual([undefined, undefined, undefined]);
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
    expect(await real.measure(file)).toEqual({
      ok: true,
      value: { width: 10, height: 10 },
    });
    expect((await sharp(await prepared(file)).metadata()).height).toBe(10);
  });

  it.each([
    { what: 'an SVG', file: '<?xml version="1.0"?>\n<svg xmlns="x"/>', code: 'pictureSvg' },
    { what: 'a PDF', file: '%PDF-1.7\n', code: 'picturePdf' },
    { what: 'a text', file: 'not a photo', code: 'notPicture' },
  ] as const)('refuse $what', async ({ file, code }) => {
    expect(await real.measure(text(file))).toEqual(failure(code));
  });

  it.each(['gif', 'tiff', 'avif'] as const)(
    'name the format in the refusal of %s',
    async (format) => {
      const file = await sharp(await paintJpeg(20, 10, 'yellow'))
        .toFormat(format)
        .toBuffer();
      const other = failure('otherPicture', { kind: format.toUpperCase() });
      expect(await real.measure(file)).toEqual(other);
      expect(await real.prepare(file, 100)).toEqual(other);
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

  it.each(['png', 'webp'] as const)('accept %s', async (format) => {
    const file = await sharp(await paintJpeg(20, 10, 'yellow'))
      .toFormat(format)
      .toBuffer();
    expect(await real.measure(file)).toEqual({
      ok: true,
      value: { width: 20, height: 10 },
    });
  });
});

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~crc >>> 0;
}
