import { createStateFile } from './adapters/state-file.ts';
import type { StateFile } from './ports/files.ts';
import { stateFolder } from './state-folder.ts';

/** Where the windows were. Apart from all else, because a window needs it before there is a core. */
export function composeWindowPlaces(): StateFile {
  return createStateFile(stateFolder(), 'windows');
}
