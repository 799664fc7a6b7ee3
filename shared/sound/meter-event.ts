import type { AppError } from '../errors/app-error.ts';

/** What a microphone that is only looked at says. */
export type MeterEvent =
  /** 20 times a second, in dBFS. */
  | {
      readonly kind: 'level';
      readonly rmsDb: number;
      readonly peakDb: number;
      readonly clipped: number;
    }
  | { readonly kind: 'using'; readonly device: string }
  /** No sound comes, and why; it goes on by itself when the device is there. */
  | { readonly kind: 'problem'; readonly error: AppError }
  /** A talk, or something else that needs the microphone, has closed it. */
  | { readonly kind: 'stopped' };
