import type { FactTypes } from './session-error-codes.ts';

/** Errors of the model on this computer. */
export const modelErrors = {
  // The program that runs the model.
  modelProgramMissing: {},
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
} as const satisfies FactTypes;
