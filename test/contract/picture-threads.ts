import { resolve } from 'node:path';
import { PictureThread } from '../../electron/platform/pictures/picture-thread.ts';

/** With its built entry, for tests that run from sources. */
export function builtPictureThread(): PictureThread {
  return new PictureThread(resolve(import.meta.dirname, '../../out/main/picture-worker.js'));
}

/** Sources have no built entry, so this decodes in the test’s thread. */
export const pictureWorkHere = new PictureThread();
