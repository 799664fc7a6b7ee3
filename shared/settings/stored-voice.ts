import type { AppError } from '../errors/app-error.ts';

/** A reference voice as it is kept. */
export interface StoredVoice {
  readonly id: string;
  readonly name: string;
  readonly seconds: number;
  /** What is not as it should be: too quiet, clipped, or longer than what was taken of it. */
  readonly notes: readonly VoiceIssue[];
  /** ISO 8601. */
  readonly createdAt: string;
}

export type VoiceIssue = 'quiet' | 'clipped' | 'cut';

/** What happens while a voice is recorded. */
export type VoiceRecordingEvent =
  | {
      readonly kind: 'level';
      readonly seconds: number;
      readonly rmsDb: number;
      readonly peakDb: number;
      readonly clipped: number;
    }
  /** The longest take is reached; what was said until now is waiting to be kept. */
  | { readonly kind: 'full' }
  | { readonly kind: 'problem'; readonly error: AppError };
