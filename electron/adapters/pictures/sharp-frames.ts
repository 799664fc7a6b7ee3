import { failure } from '../../../shared/errors/app-error.ts';
import type { Sharp, SharpOptions } from 'sharp';
import {
  frameJpegQuality,
  maxFramePixels,
  signatureSide,
} from '../../../shared/vision/vision-limits.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { Frames, PlanFrame, PreparedFrame } from '../../ports/pictures.ts';
import { loadSharp } from './load-sharp.ts';
import type { OpenPicture } from './load-sharp.ts';
import { sniffFrame } from './sniff-picture.ts';

/** Frames through sharp, whose work is done on libuv's threads. */
export function createFrames(): Frames {
  return {
    prepare: async (file, plan) => {
      const wrong = sniffFrame(file);
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
  const { crop, width, height } = await plan(upright);
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
    again().jpeg({ quality: frameJpegQuality }).toBuffer(),
    again().resize(signatureSide, signatureSide, { fit: 'fill' }).greyscale().raw().toBuffer(),
  ]);
  return { ok: true, value: { jpeg, width, height, signature } };
}
