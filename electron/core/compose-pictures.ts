import type { PartState } from '../../shared/about.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import { PictureJobs } from '../adapters/pictures/picture-jobs.ts';
import {
  createProcessFrames,
  createProcessPictures,
  pictureProcessPart,
} from '../adapters/pictures/process-pictures.ts';
import { createFrames } from '../adapters/pictures/sharp-frames.ts';
import { createPictures } from '../adapters/pictures/sharp-pictures.ts';
import type { StartPictureProcess } from '../ports/picture-process.ts';
import type { Frames, Pictures } from '../ports/pictures.ts';

interface PictureParts {
  readonly pictures: Pictures;
  readonly frames: Frames;
  /** Whether they can be decoded, where that is not in this process. */
  readonly part?: () => Promise<PartState>;
}

/**
 * Two processes: files that somebody sent do not meet what the camera sees, and no frame waits for a
 * large file. Without a way to start one, as in most tests, pictures are decoded here.
 */
export function composePictures(
  start: StartPictureProcess | undefined,
  lifetime: Lifetime,
): PictureParts {
  if (start === undefined) return { pictures: createPictures(), frames: createFrames() };
  const [fileJobs, frameJobs] = [new PictureJobs(start), new PictureJobs(start)];
  lifetime.add(() => {
    fileJobs.end();
    frameJobs.end();
  });
  return {
    pictures: createProcessPictures(fileJobs),
    frames: createProcessFrames(frameJobs),
    part: () => pictureProcessPart(fileJobs),
  };
}
