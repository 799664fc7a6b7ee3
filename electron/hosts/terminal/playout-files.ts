import type { Parley } from '../../compose.ts';
import { captionFormatOf } from './caption-format.ts';
import { createFile } from './given-files.ts';
import type { PlayoutFiles } from './playout.ts';

/** Makes the files that the answer goes into, before anything is said. */
export async function openPlayoutFiles(
  parley: Pick<Parley, 'files'>,
  {
    output,
    captions,
  }: { readonly output?: string | undefined; readonly captions?: string | undefined },
): Promise<PlayoutFiles> {
  return {
    output: output === undefined ? undefined : await createFile(parley, output),
    captions:
      captions === undefined
        ? undefined
        : { file: await createFile(parley, captions), format: captionFormatOf(captions) },
  };
}
