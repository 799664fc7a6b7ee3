import type { AppError } from '../errors/app-error.ts';

/** Event of a microphone whose level is shown. */
export type MeterEvent =
  /** 20 times a second, in dBFS. */
  | {
      readonly kind: 'level';
      readonly rmsDb: number;
      readonly peakDb: number;
      readonly clipped: number;
    }
  | { readonly kind: 'using'; readonly device: string }
  /** No sound arrives; the meter continues when the device is back. */
  | { readonly kind: 'problem'; readonly error: AppError }
  /** A talk or another user of the microphone closed it. */
  | { readonly kind: 'stopped' };

/** Versions of a test recording: as captured, and after echo, noise and level processing. */
export const ownSoundVersions = ['captured', 'sent'] as const;

export type OwnSoundVersion = (typeof ownSoundVersions)[number];

/** `unheard` is a recording without a voice. */
export const ownSoundVerdicts = ['unheard', 'quiet', 'clipped', 'good'] as const;

export type OwnSoundVerdict = (typeof ownSoundVerdicts)[number];

/** Whether the microphone picks up what the speaker plays. */
export type LoopbackResult =
  /** `latencyMs` counts from writing the chirp to the speaker until it could be sent. */
  | {
      readonly heard: true;
      readonly latencyMs: number;
      /** Level of the echo; 0 dB is the level played. */
      readonly levelDb: number;
      /** Level of the room before the chirp, in dBFS. */
      readonly noiseDb: number;
    }
  | { readonly heard: false; readonly error: AppError };
