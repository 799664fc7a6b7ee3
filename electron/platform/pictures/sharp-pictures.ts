import type { Sharp, SharpOptions } from 'sharp';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type {
  Frames,
  PictureFacts,
  Pictures,
  PlanFrame,
  PreparedFrame,
} from '../../../shared/ports/pictures.ts';
import {
  frameJpegQuality,
  maxFramePixels,
  signatureSide,
} from '../../../shared/vision/vision-frame.ts';
import { loadSharp, type OpenPicture } from './load-sharp.ts';
import { sniffFrame, sniffPicture } from './sniff-picture.ts';

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

/** Frames through sharp, whose work is done on libuv's threads. */
export function createFrames(): Frames {
  return {
    prepare: async (file, plan) => {
      const wrong = sniffFrame(file);
      if (wrong !== undefined) return wrong;
      const sharp = loadSharp();
      if (!sharp.ok) return sharp;
      try {
        return await prepareFrameOf(sharp.value, file, plan);
      } catch {
        return failure('frameBroken');
      }
    },
  };
}

async function prepareFrameOf(
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

const maxColours = 3;
/** A colour that covers less is a detail. */
const minShare = 0.12;

/** The two or three main colours of a picture as plain words, the most frequent first. */
export function mainColours(pixels: Uint8Array, channels: number): readonly string[] {
  const counts = new Map<string, number>();
  for (let at = 0; at + 2 < pixels.length; at += channels) {
    const name = nameOfColour(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const byCount = [...counts].toSorted(([, a], [, b]) => b - a);
  const minCount = (minShare * pixels.length) / channels;
  return byCount
    .filter(([, count], place) => place === 0 || count >= minCount)
    .slice(0, maxColours)
    .map(([name]) => name);
}

export function nameOfColour(red: number, green: number, blue: number): string {
  const brightest = Math.max(red, green, blue);
  const spread = brightest - Math.min(red, green, blue);
  if (brightest < 45) return 'black';
  if (spread < 0.16 * brightest || spread < 20) return nameOfGrey(brightest);
  const hue = hueOf(red, green, blue, brightest, spread);
  return nameOfHue(hue, brightest, spread / brightest);
}

function nameOfGrey(brightest: number): string {
  return brightest > 215 ? 'white' : 'grey';
}

/** The hue as an angle: 0 red, 120 green, 240 blue. */
function hueOf(red: number, green: number, blue: number, brightest: number, spread: number) {
  if (brightest === red) return ((green - blue) / spread) * 60 + (green < blue ? 360 : 0);
  if (brightest === green) return ((blue - red) / spread) * 60 + 120;
  return ((red - green) / spread) * 60 + 240;
}

function nameOfHue(hue: number, brightest: number, saturation: number): string {
  // Brown is dark orange, pink is pale red: words that the hue alone does not know.
  if ((hue >= 345 || hue < 15) && saturation < 0.55 && brightest > 180) return 'pink';
  if (hue >= 12 && hue < 45 && brightest < 185) return 'brown';
  return hues.find(({ until }) => hue < until)?.name ?? 'red';
}

const hues: readonly { readonly until: number; readonly name: string }[] = [
  { until: 15, name: 'red' },
  { until: 45, name: 'orange' },
  { until: 70, name: 'yellow' },
  { until: 165, name: 'green' },
  { until: 192, name: 'cyan' },
  { until: 255, name: 'blue' },
  { until: 295, name: 'purple' },
  { until: 345, name: 'pink' },
];
