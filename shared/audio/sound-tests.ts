import type { AppError } from '../errors/app-error.ts';

/** An event of a microphone whose level is shown. */
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

/** Two ways to hear oneself: as it came in, and as it goes on after all that is done about echo, noise and level. */
export const ownSoundWays = ['captured', 'sent'] as const;

export type OwnSoundWay = (typeof ownSoundWays)[number];

/** The verdicts on it; `unheard` is a recording without anybody in it. */
export const ownSoundVerdicts = ['unheard', 'quiet', 'clipped', 'good'] as const;

export type OwnSoundVerdict = (typeof ownSoundVerdicts)[number];

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
