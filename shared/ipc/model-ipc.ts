import { z } from 'zod';
import type { LocalModelState } from '../model/local-model.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';

const path = z.strictObject({ path: z.string().max(4000) });

/** Requests about the model on this computer. Long work reports its end as a notice. */
export const modelRequests = {
  localModel: request(noInput).answers<LocalModelState>().changedBy('modelChanged'),
  /** Looks at the hardware, the program and the files. */
  lookForModel: request(noInput),
  /** Downloads the model, or goes on. */
  downloadModel: request(noInput),
  /** Stops a download or a verification. It keeps the bytes that arrived. */
  pauseModel: request(noInput),
  verifyModel: request(noInput),
  /** Deletes the files that Parley downloaded. */
  removeModel: request(noInput),
  /** Verifies and uses a folder that has the model; empty means Parley's own. */
  setModelFolder: request(path),
  /** Uses this `llama-omni-server`; empty means that Parley looks for it. */
  setModelProgram: request(path),
  /** Loads the model before the first talk. */
  loadModel: request(noInput),
  /** Frees the card's memory. */
  unloadModel: request(noInput),
};

export type ModelHandlers = HandlersOf<typeof modelRequests>;

export interface ModelNotices {
  /** While something goes on, at most a few times a second. */
  readonly modelChanged: LocalModelState;
}
