import type { PictureAnswer, PictureRequest } from '../../shared/ports/pictures.ts';
import { loadSharp } from '../platform/pictures/load-sharp.ts';
import { servePictures } from '../platform/pictures/serve-pictures.ts';
import { createFrames, createPictures } from '../platform/pictures/sharp-pictures.ts';
import { createNativeParts } from '../platform/system/native-parts.ts';

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
