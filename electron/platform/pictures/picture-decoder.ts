import type Vips from 'wasm-vips';
import type { FramePlan, PreparedFrame } from '../../../shared/ports/pictures.ts';
import {
  frameJpegQuality,
  type FrameSize,
  signatureSide,
} from '../../../shared/vision/vision-frame.ts';

type Image = Vips.Image;

/** libvips has a dozen decoders. Only these three are enabled, and only from memory. */
const enabledLoaders = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
];

/** Rejects truncated files. It is in the option string, because thumbnails ignore it as a separate option. */
const failOnError = '[fail_on=error]';

/** A decoder is replaced if a picture took more memory than this. Interlaced PNGs of 50 million pixels take 180 MB. */
const maxMemoryBytes = 200_000_000;

const orientation = 'orientation';
/** EXIF orientations from here on swap width and height. */
const firstRotatedOrientation = 5;

/** Processes pictures synchronously, and throws if one cannot be read. WebAssembly confines exploits of a decoder. */
export class PictureDecoder {
  readonly #vips: typeof Vips;

  private constructor(vips: typeof Vips) {
    this.#vips = vips;
  }

  static async load(): Promise<PictureDecoder> {
    const { default: open } = await import('wasm-vips');
    const vips = await open({
      dynamicLibraries: [],
      // Hides warnings about files from stderr.
      preRun: (module: { readonly ENV: Record<string, string> }) => {
        module.ENV['VIPS_WARNING'] = 'hidden';
      },
    });
    // No picture is decoded twice, and cached memory is never freed.
    vips.Cache.max(0);
    vips.concurrency(1);
    vips.operationBlock('VipsForeignLoad', true);
    for (const name of enabledLoaders) vips.operationBlock(name, false);
    return new PictureDecoder(vips);
  }

  /** Whether this decoder should be replaced, because WebAssembly never gives memory back. */
  hasOutgrown(): boolean {
    return this.#vips.Stats.memHighwater() > maxMemoryBytes;
  }

  version(): string {
    return `libvips ${this.#vips.version()}`;
  }

  /** Reads the upright size from the header. */
  measure(file: Uint8Array): FrameSize {
    return this.#freeAfter((keep) => {
      const image = keep(this.#vips.Image.newFromBuffer(file));
      const { width, height } = image;
      const isTurned =
        image.getTypeof(orientation) !== 0 && image.getInt(orientation) >= firstRotatedOrientation;
      return isTurned ? { width: height, height: width } : { width, height };
    });
  }

  /** Converts to an upright, opaque JPEG with sides up to `maxSide`. */
  fit(file: Uint8Array, maxSide: number): Uint8Array {
    return this.#freeAfter((keep) => {
      const size = { height: maxSide, size: 'down', option_string: failOnError };
      const scaled = keep(this.#vips.Image.thumbnailBuffer(file, maxSide, size));
      const opaque = scaled.hasAlpha()
        ? keep(scaled.flatten({ background: [255, 255, 255] }))
        : scaled;
      return writeJpeg(keep(opaque.colourspace('srgb')), frameJpegQuality);
    });
  }

  /** Crops and scales a frame, and computes its signature, by which similar frames are found. */
  frame(file: Uint8Array, { crop, width, height }: FramePlan): PreparedFrame {
    return this.#freeAfter((keep) => {
      const size = { height, size: 'force' } as const;
      const { Image } = this.#vips;
      let scaled: Image;
      if (crop === undefined)
        scaled = keep(Image.thumbnailBuffer(file, width, { ...size, option_string: failOnError }));
      else {
        const upright = keep(keep(Image.newFromBuffer(file, failOnError)).autorot());
        const part = keep(upright.crop(crop.left, crop.top, crop.width, crop.height));
        scaled = keep(part.thumbnailImage(width, size));
      }
      const pixels = keep(keep(scaled.colourspace('srgb')).copyMemory());
      const side = { height: signatureSide, size: 'force' } as const;
      const grey = keep(keep(pixels.thumbnailImage(signatureSide, side)).colourspace('b-w'));
      const jpeg = writeJpeg(pixels, frameJpegQuality);
      return { jpeg, width, height, signature: new Uint8Array(grey.writeToMemory()) };
    });
  }

  /** Encodes RGB pixels, three bytes each, as JPEG. */
  encode(pixels: Uint8Array, { width, height }: FrameSize, quality: number): Uint8Array {
    const { Image, BandFormat } = this.#vips;
    return this.#freeAfter((keep) =>
      writeJpeg(keep(Image.newFromMemory(pixels, width, height, 3, BandFormat.uchar)), quality),
    );
  }

  /** Frees every image that was passed to `keep`, because libvips never frees them itself. */
  #freeAfter<Value>(work: (keep: (image: Image) => Image) => Value): Value {
    const images: Image[] = [];
    try {
      return work((image) => {
        images.push(image);
        return image;
      });
    } finally {
      for (const image of images) image.delete();
    }
  }
}

function writeJpeg(image: Image, quality: number): Uint8Array {
  return image.jpegsaveBuffer({ Q: quality, optimize_coding: true, keep: 'none' });
}
