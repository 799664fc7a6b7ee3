import { failure } from '../../../shared/errors/app-error.ts';
import type { Failure } from '../../../shared/errors/app-error.ts';
import type { Sharp, SharpOptions } from 'sharp';
import { maxFrameBytes, maxFramePixels } from '../../../shared/vision/vision-limits.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { Frames, PlanFrame, PreparedFrame } from '../../ports/pictures.ts';
import { loadSharp } from './load-sharp.ts';
import type { OpenPicture } from './load-sharp.ts';

/** Chosen by measurement: see decision 18. */
const jpegQuality = 80;
const signatureSide = 16;

/** Frames through sharp, whose work is done on libuv's threads. */
export function createFrames(): Frames {
  return {
    prepare: async (file, plan) => {
      const wrong = wrongFile(file);
      if (wrong !== undefined) return wrong;
      const sharp = loadSharp();
      if (!sharp.ok) return sharp;
      try {
        return await prepare(sharp.value, file, plan);
      } catch {
        return failure('frameBroken');
      }
    },
  };
}

/** Pages encode what they grab as JPEG; nothing else is even looked at. */
function wrongFile(file: Uint8Array): Failure | undefined {
  if (file.length > maxFrameBytes) {
    return failure('frameHeavy', { size: file.length, most: maxFrameBytes });
  }
  const jpeg = file[0] === 0xff && file[1] === 0xd8 && file[2] === 0xff;
  return jpeg ? undefined : failure('frameNotJpeg');
}

async function prepare(
  open: OpenPicture,
  file: Uint8Array,
  plan: PlanFrame,
): Promise<Outcome<PreparedFrame>> {
  const header = await open(file, { limitInputPixels: false }).metadata();
  const upright = header.autoOrient;
  if (upright.width * upright.height > maxFramePixels) {
    return failure('frameLarge', { width: upright.width, height: upright.height });
  }
  const { crop, width, height } = plan(upright);
  const options: SharpOptions = { limitInputPixels: maxFramePixels, failOn: 'error' };
  const decoded = open(file, options).autoOrient();
  const cut = crop === undefined ? decoded : decoded.extract(crop);
  const raw = await cut
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { channels } = raw.info;
  // Both from the pixels that were decoded once.
  const again = (): Sharp => open(raw.data, { raw: { width, height, channels } });
  const [jpeg, signature] = await Promise.all([
    again().jpeg({ quality: jpegQuality }).toBuffer(),
    again().resize(signatureSide, signatureSide, { fit: 'fill' }).greyscale().raw().toBuffer(),
  ]);
  return { ok: true, value: { jpeg, width, height, signature } };
}
