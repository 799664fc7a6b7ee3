import type { PartState } from '../../../shared/app/program.ts';
import { failure } from '../../../shared/errors/app-error.ts';
import type { Frames, Pictures } from '../../../shared/ports/pictures.ts';
import { type PictureJobs, pictureValues } from './picture-jobs.ts';
import { sniffFrame, sniffPicture } from './sniff-picture.ts';

/** Pictures that are decoded in a process of their own; what is none does not even get there. */
export function createProcessPictures(jobs: PictureJobs): Pictures {
  const broken = failure('pictureBroken');
  return {
    probe: async (file) =>
      sniffPicture(file) ??
      jobs.run({
        request: { ask: 'probe', file: alone(file) },
        value: pictureValues.probe,
        broken,
      }),
    prepare: async (file, maxSide) =>
      sniffPicture(file) ??
      jobs.run({
        request: { ask: 'prepare', file: alone(file), maxSide },
        value: pictureValues.prepare,
        broken,
      }),
  };
}

/** The same for frames. */
export function createProcessFrames(jobs: PictureJobs): Frames {
  const broken = failure('frameBroken');
  return {
    prepare: async (file, plan) =>
      sniffFrame(file) ??
      jobs.run({
        request: { ask: 'frame', file: alone(file) },
        plan,
        value: pictureValues.frame,
        broken,
      }),
  };
}

/** Whether pictures can be decoded there. */
export async function pictureProcessPart(jobs: PictureJobs): Promise<PartState> {
  const broken = failure('picturesStopped');
  const told = await jobs.run({ request: { ask: 'part' }, value: pictureValues.part, broken });
  if (told.ok) return told.value;
  return {
    state: 'fails',
    reason:
      'The process that decodes pictures does not start. Delete node_modules and start Parley again.',
  };
}

/** A part of a larger memory would be sent with all that stands around it. */
function alone(file: Uint8Array): Uint8Array {
  return file.byteLength === file.buffer.byteLength ? file : new Uint8Array(file);
}
