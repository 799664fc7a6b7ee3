import type { AppError } from '../../../shared/errors/app-error.ts';

/** Names a phrase: in which talk, and how many milliseconds after that began. */
export interface PhraseRef {
  readonly talk: string;
  readonly at: number;
}

/** What was said, and the server that it was said to: no other one gets it. */
export interface SpokenPhrase extends PhraseRef {
  readonly server: string;
  /** 16 kHz mono. */
  readonly samples: Float32Array;
}

/** What has become of a phrase. */
export type PhraseNews =
  | { readonly state: 'waiting' | 'writing' }
  /** Empty where no words were made out. */
  | { readonly state: 'written'; readonly text: string }
  | { readonly state: 'unwritten'; readonly error: AppError };
