import type { HistoryRef } from '../recordings/history-item.ts';

/** Refers to a passage of an earlier talk or chat that was sent with a question. Its words are not stored again. */
export interface PastPassage extends HistoryRef {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Turn index in a talk. */
  readonly turn?: number | undefined;
  /** Turn id in a chat. */
  readonly chatTurn?: string | undefined;
}

/** Passages that the user's words in a talk refer to. */
export interface TalkPassagesView {
  readonly passages: readonly PastPassage[];
  /** Whether the running session got them; otherwise they wait for the next one. */
  readonly isSent: boolean;
}

export const noTalkPassages: TalkPassagesView = { passages: [], isSent: false };

/** A passage with its words, which are sent and not stored again. */
export interface FoundPassage {
  readonly passage: PastPassage;
  readonly text: string;
}

export interface PassageExclusions {
  /** The conversation that the message belongs to. */
  readonly openChat?: string | undefined;
  /** Talks and chats that the user excluded. */
  readonly leaveOut?: readonly HistoryRef[] | undefined;
}

/** Finds passages that a message refers to; none if it does not refer to the past. */
export type FindPassages = (
  message: string,
  exclusions?: PassageExclusions,
) => Promise<readonly FoundPassage[]>;
