import type { FactTypes } from './session-error-codes.ts';

/** Errors of the model on this computer. */
export const modelErrors = {
  // The program that runs the model.
  modelProgramMissing: {},
  pathNotChosen: {},
  modelProgramGone: { path: 'string' },
  modelProgramNotExecutable: { path: 'string' },
  modelProgramForeign: { path: 'string' },
  modelProgramOld: { path: 'string' },
  modelLibraryMissing: { name: 'string' },
  modelProcessorOld: {},
  modelElsewhere: {},
  modelStopped: {},
  // It ends or hangs.
  modelKilled: {},
  modelCardMemory: {},
  modelMemory: {},
  modelNoCard: {},
  modelPortTaken: {},
  modelTemporaryFull: { path: 'string' },
  modelFileUnreadable: { name: 'string' },
  modelSilent: { seconds: 'number' },
  modelExited: { line: 'string' },
  modelCrashLoop: { times: 'number' },
  modelTooSlow: { p90Ms: 'number', limitMs: 'number' },
  // The model's files.
  modelSpace: { folder: 'string', neededGb: 'string', freeGb: 'string' },
  modelDiskFull: { folder: 'string', neededGb: 'string' },
  modelFilesMissing: { folder: 'string', names: 'string' },
  modelFileSize: { folder: 'string', name: 'string' },
  modelFileChanged: { folder: 'string', name: 'string' },
  modelFolderForeign: { folder: 'string' },
  modelFolderBusy: { folder: 'string' },
  modelFilesBusy: {},
  // The mirrors that serve them.
  modelMirrorAway: { host: 'string' },
  modelMirrorSlow: { host: 'string' },
  modelMirrorRefuses: { host: 'string', status: 'number' },
  modelMirrorRedirects: { host: 'string' },
  modelMirrorUntrusted: { host: 'string' },
  modelMirrorAlters: { host: 'string', name: 'string' },
  modelMirrorsAlter: { name: 'string' },
} as const satisfies FactTypes;
