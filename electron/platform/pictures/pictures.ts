import { type Failure, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Frames, Pictures } from '../../../shared/ports/pictures.ts';
import {
  type FrameSize,
  maxFrameBytes,
  maxFramePixels,
} from '../../../shared/vision/vision-frame.ts';
import type { PictureThread } from './picture-thread.ts';

/** The pixels of the largest picture that is decoded. Cameras and screens stay far below. */
const maxPixels = 50_000_000;

/** For a row of a million pixels, which a few bytes of PNG can claim, libvips takes 1.7 GB. No JPEG or WebP can have a side longer than this. */
const maxSide = 65_535;

/** Decodes attached pictures in the thread. Files that are clearly not pictures are refused before that. */
export function createPictures(thread: PictureThread): Pictures {
  const broken = failure('pictureBroken');
  const measure = async (file: Uint8Array): Promise<Outcome<FrameSize>> => {
    const size = refuseOtherFile(file) ?? (await thread.run(broken, 'measure', file));
    if (!size.ok) return size;
    const { width, height } = size.value;
    const isTooLarge = width * height > maxPixels || Math.max(width, height) > maxSide;
    return isTooLarge ? failure('pictureLarge', size.value) : size;
  };
  return {
    measure: (file) => measure(ownCopy(file)),
    prepare: async (file, maxSide) => {
      const bytes = ownCopy(file);
      const size = await measure(bytes);
      return size.ok ? thread.run(broken, 'fit', bytes, maxSide) : size;
    },
  };
}

export function createFrames(thread: PictureThread): Frames {
  const broken = failure('frameBroken');
  return {
    prepare: async (file, plan) => {
      const bytes = ownCopy(file);
      const size = refuseOtherFrame(bytes) ?? (await thread.run(broken, 'measure', bytes));
      if (!size.ok) return size;
      const { width, height } = size.value;
      if (width * height > maxFramePixels) return failure('frameLarge', { width, height });
      return thread.run(broken, 'frame', bytes, plan(size.value));
    },
  };
}

/** Copies a view of a larger buffer, because posting it to the thread would send the whole buffer. */
function ownCopy(file: Uint8Array): Uint8Array {
  return file.byteLength === file.buffer.byteLength ? file : new Uint8Array(file);
}

/** Checks the first bytes, and returns a failure unless the file may be a supported picture. */
function refuseOtherFile(file: Uint8Array): Failure | undefined {
  if (file.length === 0) return failure('emptyPicture');
  const start = String.fromCharCode(...file.subarray(0, 512));
  if (supportedSignatures.some((signature) => signature.test(start))) return undefined;
  if (start.includes('%PDF-')) {
    return failure('picturePdf');
  }
  if (/<svg[\s>]/i.test(start)) {
    return failure('pictureSvg');
  }
  const other = otherFormats.find(({ signature }) => signature.test(start));
  return other === undefined
    ? failure('notPicture')
    : failure('otherPicture', { kind: other.kind });
}

/** Returns a failure unless a frame is a JPEG, which is how pages encode frames. */
function refuseOtherFrame(file: Uint8Array): Failure | undefined {
  if (file.length > maxFrameBytes) {
    return failure('frameHeavy', { size: file.length, most: maxFrameBytes });
  }
  const isJpeg = file[0] === 0xff && file[1] === 0xd8 && file[2] === 0xff;
  return isJpeg ? undefined : failure('frameNotJpeg');
}

/** JPEG, PNG and WebP, the formats that users really have. */
const supportedSignatures: readonly RegExp[] = [
  /^\u00FF\u00D8\u00FF/,
  /^\u0089PNG\r\n/,
  /^RIFF[^]{4}WEBP/,
];

/** Formats that are recognised only to name them in a message. To decode them would add attack surface for little use. */
const otherFormats: readonly { readonly signature: RegExp; readonly kind: string }[] = [
  { signature: /^GIF8[79]a/, kind: 'GIF' },
  { signature: /^(?:II\*\0|MM\0\*)/, kind: 'TIFF' },
  { signature: /^[^]{4}ftypavi[fs]/, kind: 'AVIF' },
  { signature: /^[^]{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)/, kind: 'HEIC' },
  { signature: /^BM[^]{4}\0{4}/, kind: 'BMP' },
];
