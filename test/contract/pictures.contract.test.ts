import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { createProcessPictures } from '../../electron/platform/pictures/process-pictures.ts';
import { createPictures } from '../../electron/platform/pictures/sharp-pictures.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import { FakePictures } from '../fakes/fake-pictures.ts';
import { realPictureJobs } from './picture-process.ts';

interface Painter {
  readonly name: string;
  readonly pictures: Pictures;
  readonly paint: (width: number, height: number, colour: string) => Promise<Uint8Array>;
}

const paintJpeg = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

const jobs = realPictureJobs();
afterAll(() => {
  jobs.end();
});

const painters: readonly Painter[] = [
  { name: 'real pictures', pictures: createPictures(), paint: paintJpeg },
  {
    name: 'real pictures of another process',
    pictures: createProcessPictures(jobs),
    paint: paintJpeg,
  },
  {
    name: 'fake pictures',
    pictures: new FakePictures(),
    paint: (width, height, colour) =>
      Promise.resolve(FakePictures.draw({ width, height, colours: [colour] })),
  },
];

const text = (content: string) => new TextEncoder().encode(content);

describe.each(painters)('the $name', ({ pictures, paint }) => {
  const both = async (file: Uint8Array) => [
    await pictures.probe(file),
    await pictures.prepare(file, 100),
  ];

  it('say size and colour', async () => {
    expect(await pictures.probe(await paint(40, 30, 'red'))).toEqual({
      ok: true,
      value: { width: 40, height: 30, colours: ['red'] },
    });
  });

  it.each([
    { maxSide: 20, width: 20, height: 15 },
    { maxSide: 400, width: 40, height: 30 },
  ])('fit into $longestSide, and never grow', async ({ maxSide, width, height }) => {
    const fitting = await pictures.prepare(await paint(40, 30, 'blue'), maxSide);
    if (!fitting.ok) throw new Error(fitting.error.code);
    expect([...fitting.value.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect(await pictures.probe(fitting.value)).toEqual({
      ok: true,
      value: { width, height, colours: ['blue'] },
    });
  });

  it('refuse what is no picture, and nothing at all', async () => {
    for (const outcome of await both(text('hello'))) expect(outcome).toEqual(failure('notPicture'));
    for (const outcome of await both(new Uint8Array())) {
      expect(outcome).toEqual(failure('emptyPicture'));
    }
  });

  it('refuse one that is cut off', async () => {
    const whole = await paint(400, 300, 'green');
    for (const outcome of await both(whole.subarray(0, whole.length / 2))) {
      expect(outcome).toEqual(failure('pictureBroken'));
    }
  });
});

const real = createPictures();

async function prepared(file: Uint8Array, maxSide = 1000): Promise<Uint8Array> {
  const outcome = await real.prepare(file, maxSide);
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

describe('pictures of another process', () => {
  const elsewhere = createProcessPictures(jobs);

  it('are the very same', async () => {
    const file = await paintJpeg(640, 480, 'orange');
    expect(await elsewhere.probe(file)).toEqual(await real.probe(file));
    expect(await elsewhere.prepare(file, 100)).toMatchObject({ ok: true });
    const outcome = await elsewhere.prepare(file, 100);
    const bytes = outcome.ok ? Buffer.from(outcome.value) : undefined;
    expect(bytes?.equals(Buffer.from(await prepared(file, 100)))).toBe(true);
  });

  it('come from any part of a larger memory', async () => {
    const file = await paintJpeg(40, 30, 'red');
    const larger = new Uint8Array(file.length + 2000);
    larger.set(file, 1000);
    const part = larger.subarray(1000, 1000 + file.length);
    expect(await elsewhere.probe(part)).toMatchObject({ value: { width: 40, height: 30 } });
  });

  it('wait for each other, all of them answered', async () => {
    const files = await Promise.all([30, 40, 50, 60].map((width) => paintJpeg(width, 9, 'red')));
    const all = await Promise.all(files.map((file) => elsewhere.probe(file)));
    expect(all.map((outcome) => outcome.ok && outcome.value.width)).toEqual([30, 40, 50, 60]);
  });
});

describe('more than 50 million pixels', () => {
  it('are refused by the fake pictures', async () => {
    const file = FakePictures.draw({ width: 10_000, height: 10_000, colours: [] });
    expect(await new FakePictures().probe(file)).toMatchObject({ ok: false });
  });

  it('are refused by the real ones from the header alone', async () => {
    // The header promises 100 million pixels and nothing follows: decoding would call it broken.
    const file = Buffer.from(
      await sharp(await paintJpeg(8, 8, 'red'))
        .png()
        .toBuffer(),
    );
    file.writeUInt32BE(10_000, 16);
    file.writeUInt32BE(10_000, 20);
    file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
    const large = failure('pictureLarge', { width: 10_000, height: 10_000 });
    expect(await real.probe(file)).toEqual(large);
    expect(await real.prepare(file, 100)).toEqual(large);
  });
});

describe('the real pictures', () => {
  it('are upright, and carry no metadata', async () => {
    const lying = await sharp(await paintJpeg(40, 20, 'red'))
      .withExif({ IFD0: { Copyright: 'someone' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(await real.probe(lying)).toMatchObject({ value: { width: 20, height: 40 } });
    const facts = await sharp(await prepared(lying)).metadata();
    expect([facts.width, facts.height]).toEqual([20, 40]);
    expect([facts.exif, facts.icc, facts.orientation]).toEqual([undefined, undefined, undefined]);
  });

  it('show what is transparent as white', async () => {
    const file = await sharp({
      create: { width: 20, height: 20, channels: 4, background: '#00000000' },
    })
      .png()
      .toBuffer();
    expect(await real.probe(file)).toMatchObject({ value: { colours: ['white'] } });
    const { data } = await sharp(await prepared(file))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(Math.min(...data)).toBeGreaterThan(250);
  });

  it('take the first frame of an animation', async () => {
    const frames = Buffer.concat([Buffer.alloc(300, Buffer.from([255, 0, 0])), Buffer.alloc(300)]);
    const file = await sharp(frames, {
      raw: { width: 10, height: 20, channels: 3, pageHeight: 10 },
    })
      .webp({ delay: [100, 100], loop: 0, lossless: true })
      .toBuffer();
    expect((await sharp(file).metadata()).pages).toBe(2);
    expect(await real.probe(file)).toEqual({
      ok: true,
      value: { width: 10, height: 10, colours: ['red'] },
    });
    expect((await sharp(await prepared(file)).metadata()).height).toBe(10);
  });

  it.each([
    { what: 'an SVG', file: '<?xml version="1.0"?>\n<svg xmlns="x"/>', code: 'pictureSvg' },
    { what: 'a PDF', file: '%PDF-1.7\n', code: 'picturePdf' },
    { what: 'a text called .jpg', file: 'not a photo', code: 'notPicture' },
  ] as const)('refuse $what', async ({ file, code }) => {
    expect(await real.probe(text(file))).toEqual(failure(code));
  });

  it('name the main colours, the most frequent first', async () => {
    const patch = (colour: string, width: number) =>
      sharp({ create: { width, height: 60, channels: 3, background: colour } })
        .png()
        .toBuffer();
    const file = await sharp({
      create: { width: 100, height: 60, channels: 3, background: '#2f6fe0' },
    })
      .composite([
        { input: await patch('#ffffff', 30), left: 0, top: 0 },
        { input: await patch('#d02020', 5), left: 95, top: 0 },
      ])
      .png()
      .toBuffer();
    expect(await real.probe(file)).toMatchObject({ value: { colours: ['blue', 'white'] } });
  });

  it.each(['gif', 'tiff', 'avif'] as const)('refuse %s by its name', async (format) => {
    const file = await sharp(await paintJpeg(20, 10, 'yellow'))
      .toFormat(format)
      .toBuffer();
    const other = failure('otherPicture', { kind: format.toUpperCase() });
    expect(await real.probe(file)).toEqual(other);
    expect(await real.prepare(file, 100)).toEqual(other);
  });

  it('decode nothing else, should it come past the first look', async () => {
    await real.probe(await paintJpeg(20, 10, 'red'));
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await expect(sharp(svg).metadata()).rejects.toThrow('unsupported image format');
    const tiff = await sharp(await paintJpeg(20, 10, 'red'))
      .tiff()
      .toBuffer();
    await expect(sharp(tiff).raw().toBuffer()).rejects.toThrow('unsupported image format');
  });

  it.each(['png', 'webp'] as const)('take %s', async (format) => {
    const file = await sharp(await paintJpeg(20, 10, 'yellow'))
      .toFormat(format)
      .toBuffer();
    expect(await real.probe(file)).toEqual({
      ok: true,
      value: { width: 20, height: 10, colours: ['yellow'] },
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
