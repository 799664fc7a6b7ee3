import type { AppError } from '../errors/app-error.ts';
import type { TalkRecord } from './talk-record.ts';

/** A talk that is read again, with what is known of it besides its record. */
export interface OpenedTalkRecord {
  readonly id: string;
  readonly record: TalkRecord;
  readonly goesOn: boolean;
  /** Its tape is kept, and can be replayed under the same id. */
  readonly tape: boolean;
  readonly bytes: number;
  /** Where somebody wanted the person's words written down from its tape. */
  readonly words?: WrittenTape | undefined;
}

/** How far the writing down of a tape has come. */
export interface WrittenTape {
  readonly goesOn: boolean;
  /** Phrases so far, those in which no words were made out among them. */
  readonly written: number;
  /** Why it has ended before its end. */
  readonly error?: AppError | undefined;
}
