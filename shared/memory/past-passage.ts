import type { HistoryRef } from '../recordings/history-item.ts';

/** A passage of an earlier talk or chat that went along with a question, by its place. */
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
  /** They went along with the running session; otherwise they wait for the next one. */
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
  /** Places that the user took out. */
  readonly leaveOut?: readonly HistoryRef[] | undefined;
}

/** Finds passages that a message refers to; none if it does not refer to the past. */
export type FindPassages = (
  message: string,
  without?: PassageExclusions,
) => Promise<readonly FoundPassage[]>;
