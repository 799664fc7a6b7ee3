import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { seeded } from '../../fakes/seeded.ts';

const [width, height] = [1280, 720];
const count = 10;

/** Writes camera frames as a page grabs them: 720p, with detail of a given pixel size and a moving object. */
export async function makeFrames(folder: string, detail = 8): Promise<void> {
  mkdirSync(folder);
  const random = seeded(5);
  const small = { width: width / detail, height: height / detail, channels: 3 } as const;
  const coarse = Buffer.from(
    Uint8Array.from({ length: small.width * small.height * 3 }, () => random() * 256),
  );
  const room = await sharp(coarse, { raw: small })
    .resize(width, height, { kernel: 'cubic' })
    .png()
    .toBuffer();
  for (let frame = 0; frame < count; frame += 1) {
    const hand = { create: { width: 200, height: 300, channels: 3 as const, background: '#c98' } };
    const moved = sharp(room).composite([{ input: hand, left: 100 * frame, top: 40 * frame }]);
    const jpeg = await moved.jpeg({ quality: 85 }).toBuffer();
    writeFileSync(join(folder, `${frame}.jpg`), jpeg);
  }
}

/** Makes a shaded JPEG with camera noise: an average case for the encoder. */
export async function makeCameraPicture(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let state = 1;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    const x = (Math.floor(at / 3) % width) / width;
    const y = Math.floor(at / 3 / width) / height;
    const wave = Math.sin(x * 40 + (at % 3)) * 50 + Math.cos(y * 25) * 40;
    const edge = (x * 12) % 1 > 0.5 ? 25 : 0;
    pixels[at] = 110 + wave + edge + ((state >> 16) % 13) - 6;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}
