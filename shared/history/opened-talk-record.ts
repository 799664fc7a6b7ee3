import type { TalkRecord } from './talk-record.ts';

/** A talk that is read again, with what is known of it besides its record. */
export interface OpenedTalkRecord {
  readonly id: string;
  readonly record: TalkRecord;
  readonly goesOn: boolean;
  /** Its tape is kept, and can be replayed under the same id. */
  readonly tape: boolean;
  readonly place: string;
  readonly bytes: number;
}
