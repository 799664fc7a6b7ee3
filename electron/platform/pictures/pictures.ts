import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Frames, Pictures } from '../../../shared/ports/pictures.ts';
import { type FrameSize, maxFramePixels } from '../../../shared/vision/vision-frame.ts';
import type { PictureThread } from './picture-thread.ts';
import { sniffFrame, sniffPicture } from './sniff-picture.ts';

/** Pixel limit for decoding; cameras and screens stay far below. */
const maxPixels = 50_000_000;

/** A few bytes of PNG can claim a row of a million pixels, for which libvips takes 1.7 GB. JPEG and WebP have no longer sides. */
const maxSide = 65_535;

/** Checks pictures and decodes them in the thread. Files that are obviously no pictures never get there. */
export function createPictures(thread: PictureThread): Pictures {
  const broken = failure('pictureBroken');
  const measure = async (file: Uint8Array): Promise<Outcome<FrameSize>> => {
    const size = sniffPicture(file) ?? (await thread.run(broken, 'measure', file));
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
      const size = sniffFrame(bytes) ?? (await thread.run(broken, 'measure', bytes));
      if (!size.ok) return size;
      const { width, height } = size.value;
      if (width * height > maxFramePixels) return failure('frameLarge', { width, height });
      return thread.run(broken, 'frame', bytes, plan(size.value));
    },
  };
}

/** Copies a view of a larger buffer, because posting would send the whole buffer. */
function ownCopy(file: Uint8Array): Uint8Array {
  return file.byteLength === file.buffer.byteLength ? file : new Uint8Array(file);
}
