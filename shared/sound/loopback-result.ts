import type { AppError } from '../errors/app-error.ts';

/** Whether what the speaker plays comes back through the microphone. */
export type LoopbackResult =
  /** From the moment the chirp was handed to the speaker until it was there to be sent. */
  | { readonly heard: true; readonly latencyMs: number; readonly levelDb: number }
  | { readonly heard: false; readonly error: AppError };
