import { performance } from 'node:perf_hooks';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { createFrames } from '../../electron/platform/pictures/pictures.ts';
import { planFrame } from '../../electron/vision/prepare-frame.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { Frames, PlanFrame, PreparedFrame } from '../../shared/ports/pictures.ts';
import { FakeFrames } from '../fakes/fake-frames.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { builtPictureThread, pictureWorkHere } from './picture-threads.ts';

interface FrameSource {
  readonly name: string;
  readonly frames: Frames;
  readonly paint: (width: number, height: number, grey: number) => Promise<Uint8Array>;
}

const paintJpeg = (width: number, height: number, grey: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: grey, g: grey, b: grey } } })
    .jpeg()
    .toBuffer();

const thread = builtPictureThread();
afterAll(() => {
  thread.end();
});

const frameSources: readonly FrameSource[] = [
  { name: 'real frames', frames: createFrames(pictureWorkHere), paint: paintJpeg },
  { name: 'real frames of another thread', frames: createFrames(thread), paint: paintJpeg },
  {
    name: 'fake frames',
    frames: new FakeFrames(),
    paint: (width, height, grey) => Promise.resolve(FakeFrames.draw({ width, height, grey })),
  },
];

const whole: PlanFrame = (size) => planFrame(size, undefined, 1);

async function prepared(
  frames: Frames,
  file: Uint8Array,
  plan: PlanFrame = whole,
): Promise<PreparedFrame> {
  return unwrap(await frames.prepare(file, plan));
}

describe.each(frameSources)('the $name', ({ frames, paint }) => {
  it('encode a JPEG of the planned size', async () => {
    const { jpeg, width, height } = await prepared(frames, await paint(1280, 720, 90));
    expect([...jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect([width, height]).toEqual([597, 336]);
  });

  it('compute a signature of 16 × 16 grey values', async () => {
    const { signature } = await prepared(frames, await paint(640, 480, 90));
    expect(signature).toHaveLength(256);
    expect(Math.abs((signature[0] ?? 0) - 90)).toBeLessThan(3);
  });

  it.each([
    ['nothing', new Uint8Array(), 'frameNotJpeg'],
    ['a text', new TextEncoder().encode('hello'), 'frameNotJpeg'],
    ['a JPEG of three bytes', Uint8Array.of(0xff, 0xd8, 0xff), 'frameBroken'],
  ] as const)('refuse %s', async (_what, file, code) => {
    expect(await frames.prepare(file, whole)).toEqual(failure(code));
  });

  it('refuse a truncated picture', async () => {
    const file = await paint(640, 480, 90);
    expect(await frames.prepare(file.subarray(0, file.length / 2), whole)).toEqual(
      failure('frameBroken'),
    );
  });

  it('refuse more than 40 million pixels', async () => {
    expect(await frames.prepare(await paint(8000, 6000, 90), whole)).toEqual(
      failure('frameLarge', { width: 8000, height: 6000 }),
    );
  });
});

const real = createFrames(thread);

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
    const frame = await prepared(real, lying, (size) => planFrame(size, bottom, 1));
    expect([frame.width, frame.height]).toEqual([200, 200]);
    const [red, green, blue] = await meanColour(frame.jpeg);
    expect([red, green, blue].map((value) => Math.round((value ?? 0) / 255))).toEqual([0, 0, 1]);
    const metadata = await sharp(frame.jpeg).metadata();
    expect([metadata.width, metadata.height]).toEqual([200, 200]);
    expect([metadata.exif, metadata.icc, metadata.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('crop as planned', async () => {
    const right = { left: 0.5, top: 0, width: 0.5, height: 1 };
    const file = await twoColours(400, 200);
    const frame = await prepared(real, file, (size) => planFrame(size, right, 1));
    expect((await meanColour(frame.jpeg)).map((value) => Math.round(value / 255))).toEqual([
      0, 0, 1,
    ]);
  });

  it('accept grey and CMYK JPEGs', async () => {
    const grey = await sharp(await paintJpeg(64, 64, 200))
      .greyscale()
      .jpeg()
      .toBuffer();
    const cmyk = await sharp(await paintJpeg(64, 64, 200))
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer();
    for (const file of [grey, cmyk]) {
      const frame = await prepared(real, file);
      expect(await sharp(frame.jpeg).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
    }
  });

  it('refuse more bytes than a frame may have', async () => {
    const file = new Uint8Array(16 * 1024 * 1024 + 1);
    file.set([0xff, 0xd8, 0xff]);
    expect(await real.prepare(file, whole)).toMatchObject({
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
    await prepared(real, file);
    const began = performance.now();
    const before = performance.eventLoopUtilization();
    await prepared(real, file);
    const busy = performance.eventLoopUtilization(before).active;
    const took = performance.now() - began;
    // Work on this thread would have kept it busy the whole time.
    expect(busy).toBeLessThan(took * 0.75);
  });
});
