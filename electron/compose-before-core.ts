import type { FirstSteps } from '../shared/first-steps.ts';
import { createStateFile } from './adapters/state-file.ts';
import type { StateFile } from './ports/files.ts';
import { firstStepsIn } from './settings/read-kept.ts';
import { stateFolder } from './state-folder.ts';

/** What a window and its page need before there is a core, which is loaded when they are shown. */
interface BeforeCore {
  /** Where the windows were. */
  readonly places: StateFile;
  readonly firstSteps: () => FirstSteps;
}

export function composeBeforeCore(): BeforeCore {
  const folder = stateFolder();
  return {
    places: createStateFile(folder, 'windows'),
    firstSteps: () => firstStepsIn(createStateFile(folder, 'settings')),
  };
}
