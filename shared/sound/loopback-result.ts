import type { AppError } from '../errors/app-error.ts';

/** Whether what the speaker plays comes back through the microphone. */
export type LoopbackResult =
  /** From the moment the chirp was handed to the speaker until it was there to be sent. */
  | {
      readonly heard: true;
      readonly latencyMs: number;
      /** How loud it came back: 0 dB is as loud as it was played. */
      readonly levelDb: number;
      /** How loud the room was before it, in dBFS. */
      readonly noiseDb: number;
    }
  | { readonly heard: false; readonly error: AppError };
