import { resolve } from 'node:path';
import { PictureThread } from '../../electron/platform/pictures/picture-thread.ts';

/** Its entry as it is built, for tests that run the sources. */
export function builtPictureThread(): PictureThread {
  return new PictureThread(resolve(import.meta.dirname, '../../out/main/picture-worker.js'));
}

/** Sources have no entry: all is done in the thread of the test. */
export const pictureWorkHere = new PictureThread();
