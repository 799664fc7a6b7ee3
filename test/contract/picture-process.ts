import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { forkChild, pictureEntry } from '../../electron/hosts/fork-child.ts';
import { PictureJobs } from '../../electron/platform/pictures/picture-jobs.ts';

const built = resolve(import.meta.dirname, '../../out/main/picture-process.js');

/** In the built process of the pictures, as the hosts in Node start it. */
export function realPictureJobs(): PictureJobs {
  if (!existsSync(built)) throw new Error(`${built} is missing: npm run check builds it.`);
  return new PictureJobs(forkChild({ ...pictureEntry, file: built }));
}
