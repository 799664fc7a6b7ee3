import { loadSharp } from '../adapters/pictures/load-sharp.ts';
import { servePictures } from '../adapters/pictures/serve-pictures.ts';
import { createFrames } from '../adapters/pictures/sharp-frames.ts';
import { createPictures } from '../adapters/pictures/sharp-pictures.ts';
import { createNativeParts } from '../adapters/system/native-parts.ts';
import type { PictureAnswer, PictureRequest } from '../ports/picture-process.ts';

/** What the picture process consists of. */
export function composePictureProcess(
  post: (answer: PictureAnswer) => void,
): (request: PictureRequest) => void {
  const serve = servePictures({
    part: () => createNativeParts().load('sharp'),
    pictures: createPictures(),
    frames: createFrames(),
    post,
  });
  // Before the first picture, whose time is counted. Where it fails, the first says why.
  loadSharp();
  post({ tell: 'ready' });
  return serve;
}
