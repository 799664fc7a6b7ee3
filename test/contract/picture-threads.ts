import { resolve } from 'node:path';
import { PictureThread } from '../../electron/platform/pictures/picture-thread.ts';

/** Uses the built entry, because sources have none. */
export function builtPictureThread(): PictureThread {
  return new PictureThread(resolve(import.meta.dirname, '../../out/main/picture-worker.js'));
}

/** Finds no built entry beside the sources, and so decodes in the test’s thread. */
export const pictureWorkHere = new PictureThread();
