import type { AppError } from '../errors/app-error.ts';

export interface StoredVoice {
  readonly id: string;
  readonly name: string;
  readonly seconds: number;
  /** Defects: too quiet, clipped, or longer than the part that was kept. */
  readonly notes: readonly VoiceIssue[];
  /** ISO 8601. */
  readonly createdAt: string;
}

export type VoiceIssue = 'quiet' | 'clipped' | 'cut';

export type VoiceRecordingEvent =
  | {
      readonly kind: 'level';
      readonly seconds: number;
      readonly rmsDb: number;
      readonly peakDb: number;
      readonly clipped: number;
    }
  /** The recording reached its maximum length and waits to be saved. */
  | { readonly kind: 'full' }
  | { readonly kind: 'problem'; readonly error: AppError };
