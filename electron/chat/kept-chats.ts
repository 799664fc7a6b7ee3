import type { ChatSearchHit, ChatSummary } from '../../shared/chat/chat-summary.ts';
import type { ChatThread } from '../../shared/chat/chat-thread.ts';
import type { Outcome } from '../ports/outcome.ts';

/** What the history knows of the conversations that are stored: none of them is read before it is opened. */
export interface KeptChats {
  readonly list: () => Promise<Outcome<readonly ChatSummary[]>>;
  /**
   * Words in any order, in titles and turns, without regard to case and accents. `unwritten` are newer than what is
   * stored of them, or are not stored at all.
   */
  readonly search: (
    query: string,
    unwritten: readonly ChatThread[],
  ) => Promise<Outcome<readonly ChatSearchHit[]>>;
}
