import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { Attachments, MediaCache } from '../../../electron/chat/attachments.ts';
import { PictureThread } from '../../../electron/platform/pictures/picture-thread.ts';
import { createFrames, createPictures } from '../../../electron/platform/pictures/pictures.ts';
import { seeded } from '../../fakes/seeded.ts';
import type { Inlet } from '../inlet.ts';

const [width, height] = [40, 24];

function noisy(channels: 3 | 4) {
  const random = seeded(5);
  const pixels = Uint8Array.from({ length: width * height * channels }, () => random() * 256);
  return sharp(pixels, { raw: { width, height, channels } });
}

const jpegs: readonly Uint8Array[] = await Promise.all([
  noisy(3).jpeg().toBuffer(),
  noisy(3).jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer(),
]);
const pngs: readonly Uint8Array[] = await Promise.all([
  noisy(4).png().toBuffer(),
  noisy(3).png({ palette: true, progressive: true }).toBuffer(),
  noisy(3).toColourspace('rgb16').png().toBuffer(),
]);
const webps: readonly Uint8Array[] = await Promise.all([
  noisy(4).webp().toBuffer(),
  noisy(3).webp({ lossless: true }).withMetadata({ orientation: 3 }).toBuffer(),
]);

const pictures = createPictures(new PictureThread());
const frames = createFrames(new PictureThread());

/** Reads a picture like a file dropped on the page, and like the gateway reads one it receives. */
async function openGiven(file: Uint8Array): Promise<unknown> {
  const attachments = new Attachments({ pictures, media: new MediaCache(), random: seeded(1) });
  return [await attachments.addFile('picture', file), await pictures.measure(file)];
}

/** Reads a picture like a camera's frame on its way to the model. */
const openFrame = (file: Uint8Array): Promise<unknown> =>
  frames.prepare(file, ({ width, height }) => ({
    crop: undefined,
    width: Math.min(width, 448),
    height: Math.min(height, 448),
  }));

/** Repairs the checksums of a PNG's chunks, without which decoders stop early. */
function withPngChecks(file: Uint8Array): Uint8Array {
  const png = Buffer.from(file);
  for (let at = 8; at + 12 <= png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    if (end + 4 > png.length) break;
    png.writeUInt32BE(crc32(png.subarray(at + 4, end)), end);
    at = end + 4;
  }
  return png;
}

export const pictureInlets: readonly Inlet<Uint8Array>[] = [
  { name: 'JPEGs', samples: jpegs, open: openGiven },
  { name: 'frames of a camera', samples: jpegs, open: openFrame },
  { name: 'PNGs', samples: pngs, open: openGiven },
  {
    name: 'PNGs with right checks',
    samples: pngs,
    open: (file) => openGiven(withPngChecks(file)),
  },
  { name: 'WebPs', samples: webps, open: openGiven },
];
