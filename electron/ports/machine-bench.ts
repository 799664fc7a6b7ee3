import type { Outcome } from './outcome.ts';

/** A part of a talk's work, done for so many seconds of a talk. */
export interface WorkPart {
  readonly name: 'listening' | 'answering' | 'vision' | 'recording';
  readonly seconds: number;
  readonly work: () => Promise<Outcome<undefined>>;
}
