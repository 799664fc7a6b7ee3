import type Vips from 'wasm-vips';
import type { FramePlan, PreparedFrame } from '../../../shared/ports/pictures.ts';
import {
  frameJpegQuality,
  type FrameSize,
  signatureSide,
} from '../../../shared/vision/vision-frame.ts';

type Image = Vips.Image;

/** libvips would try a dozen decoders on a file; these three, from memory, are all it may. */
const takenLoaders = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
];

/** A file that is cut off, or wrong within, is read by none. As an option of its own a thumbnail forgets it. */
const wholeFiles = '[fail_on=error]';

const orientation = 'orientation';
/** A picture whose EXIF orientation is this or higher lies on its side. */
const firstLying = 5;

/**
 * Reads, cuts, shrinks and writes pictures in the thread that asks, and throws where one cannot be read. libvips is WebAssembly here: a
 * file that overcomes a decoder has the decoder's memory, and no way out of it.
 */
export class PictureDecoder {
  readonly #vips: typeof Vips;

  private constructor(vips: typeof Vips) {
    this.#vips = vips;
  }

  static async load(): Promise<PictureDecoder> {
    const { default: open } = await import('wasm-vips');
    const vips = await open({
      dynamicLibraries: [],
      // What it finds odd in a file is of no use to whoever reads stderr.
      preRun: (module: { readonly ENV: Record<string, string> }) => {
        module.ENV['VIPS_WARNING'] = 'hidden';
      },
    });
    // No picture comes twice, and each that is kept takes memory that is never given back.
    vips.Cache.max(0);
    vips.concurrency(1);
    vips.operationBlock('VipsForeignLoad', true);
    for (const name of takenLoaders) vips.operationBlock(name, false);
    return new PictureDecoder(vips);
  }

  version(): string {
    return `libvips ${this.#vips.version()}`;
  }

  /** The upright size, by the header alone. */
  measure(file: Uint8Array): FrameSize {
    return this.#freeing((keep) => {
      const image = keep(this.#vips.Image.newFromBuffer(file));
      const { width, height } = image;
      const isTurned =
        image.getTypeof(orientation) !== 0 && image.getInt(orientation) >= firstLying;
      return isTurned ? { width: height, height: width } : { width, height };
    });
  }

  /** Makes it a JPEG that is upright, opaque and no longer than that on any side. */
  fit(file: Uint8Array, maxSide: number): Uint8Array {
    return this.#freeing((keep) => {
      const size = { height: maxSide, size: 'down', option_string: wholeFiles };
      const small = keep(this.#vips.Image.thumbnailBuffer(file, maxSide, size));
      const opaque = small.hasAlpha()
        ? keep(small.flatten({ background: [255, 255, 255] }))
        : small;
      return writeJpeg(keep(opaque.colourspace('srgb')), frameJpegQuality);
    });
  }

  frame(file: Uint8Array, { crop, width, height }: FramePlan): PreparedFrame {
    return this.#freeing((keep) => {
      const size = { height, size: 'force' } as const;
      const { Image } = this.#vips;
      let small: Image;
      if (crop === undefined)
        small = keep(Image.thumbnailBuffer(file, width, { ...size, option_string: wholeFiles }));
      else {
        const upright = keep(keep(Image.newFromBuffer(file, wholeFiles)).autorot());
        const part = keep(upright.crop(crop.left, crop.top, crop.width, crop.height));
        small = keep(part.thumbnailImage(width, size));
      }
      // Both are made of the pixels that were decoded once.
      const pixels = keep(keep(small.colourspace('srgb')).copyMemory());
      const side = { height: signatureSide, size: 'force' } as const;
      const grey = keep(keep(pixels.thumbnailImage(signatureSide, side)).colourspace('b-w'));
      const jpeg = writeJpeg(pixels, frameJpegQuality);
      return { jpeg, width, height, signature: new Uint8Array(grey.writeToMemory()) };
    });
  }

  /** Makes a JPEG of what is in memory, three bytes a pixel. */
  encode(pixels: Uint8Array, { width, height }: FrameSize, quality: number): Uint8Array {
    const { Image, BandFormat } = this.#vips;
    return this.#freeing((keep) =>
      writeJpeg(keep(Image.newFromMemory(pixels, width, height, 3, BandFormat.uchar)), quality),
    );
  }

  /** Whatever is kept meanwhile would stay for ever. */
  #freeing<Value>(work: (keep: (image: Image) => Image) => Value): Value {
    const kept: Image[] = [];
    try {
      return work((image) => {
        kept.push(image);
        return image;
      });
    } finally {
      for (const image of kept) image.delete();
    }
  }
}

function writeJpeg(image: Image, quality: number): Uint8Array {
  return image.jpegsaveBuffer({ Q: quality, optimize_coding: true, keep: 'none' });
}
