import { z } from 'zod';
import type { LocalModelState } from '../model/local-model-state.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';

const path = z.strictObject({ path: z.string().max(4000) });

/** Requests about the model on this computer. Long work reports its end as a notice. */
export const modelRequests = {
  localModel: request(noInput).answers<LocalModelState>().withChangedBy('modelChanged'),
  /** Examines the hardware, the program and the files. */
  lookForModel: request(noInput),
  /** Starts or resumes the download. */
  downloadModel: request(noInput),
  /** Stops a download or a verification. It keeps the bytes that arrived. */
  pauseModel: request(noInput),
  verifyModel: request(noInput),
  /** Deletes the files that Parley downloaded. */
  removeModel: request(noInput),
  /** Verifies and uses a folder that has the model. Empty means Parley's own. Hosts with dialogs take only the empty path. */
  setModelFolder: request(path),
  /** Verifies and uses a folder that the user picks in the system's dialog. */
  chooseModelFolder: request(noInput),
  /** Uses this `llama-omni-server`. Empty means that Parley looks for it. Hosts with dialogs take only the empty path. */
  setModelProgram: request(path),
  /** Uses a `llama-omni-server` that the user picks in the system's dialog. */
  chooseModelProgram: request(noInput),
  /** Loads the model before the first talk. */
  loadModel: request(noInput),
  /** Frees the card's memory. */
  unloadModel: request(noInput),
};

export type ModelHandlers = HandlersOf<typeof modelRequests>;

export interface ModelNotices {
  /** Posted on changes, at most a few times a second while work is in progress. */
  readonly modelChanged: LocalModelState;
}
