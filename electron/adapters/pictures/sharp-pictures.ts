import { failure } from '../../../shared/errors/app-error.ts';
import type { Sharp, SharpOptions } from 'sharp';
import type { Outcome } from '../../ports/outcome.ts';
import type { PictureFacts, Pictures } from '../../ports/pictures.ts';
import { loadSharp } from './load-sharp.ts';
import { mainColours } from './main-colours.ts';
import { sniffPicture } from './sniff-picture.ts';

/** The largest picture that is decoded; what a camera or a screen makes stays far below. */
const maxPixels = 50_000_000;
const jpegQuality = 80;
/** Enough to see which colours there are, and averaged enough not to see noise. */
const colourSide = 48;

/** Pictures through sharp, which is only loaded when the first one comes. */
export function createPictures(): Pictures {
  return {
    probe: (file) => withPicture(file, probe),
    prepare: (file, maxSide) => withPicture(file, (open) => prepare(open, maxSide)),
  };
}

/** Checks the file by its first bytes and its header before anything is decoded. */
async function withPicture<Value>(
  file: Uint8Array,
  work: (open: () => Sharp) => Promise<Value>,
): Promise<Outcome<Value>> {
  const fault = sniffPicture(file);
  if (fault !== undefined) return fault;
  const sharp = loadSharp();
  if (!sharp.ok) return sharp;
  try {
    const header = sharp.value(file, { limitInputPixels: false });
    const { width, height } = await header.metadata();
    if (width * height > maxPixels) return tooLarge(width, height);
    const options: SharpOptions = { limitInputPixels: maxPixels, failOn: 'error' };
    return { ok: true, value: await work(() => sharp.value(file, options)) };
  } catch {
    return failure('pictureBroken');
  }
}

async function probe(open: () => Sharp): Promise<PictureFacts> {
  const { autoOrient } = await open().metadata();
  const small = open()
    .resize(colourSide, colourSide, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb');
  const { data, info } = await small.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = autoOrient;
  return { width, height, colours: mainColours(data, info.channels) };
}

function prepare(open: () => Sharp, maxSide: number): Promise<Uint8Array> {
  return open()
    .autoOrient()
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: jpegQuality })
    .toBuffer();
}

function tooLarge(width: number, height: number): Outcome<never> {
  return failure('pictureLarge', { width, height });
}
