import type { AppError } from '../errors/app-error.ts';
import type { HistoryRef } from '../recordings/history-item.ts';

export const maxSentences = 60;
/** Characters of a sentence. */
export const maxSentenceLength = 200;
/** Estimated tokens of all sentences that are switched on. */
export const maxMemoryTokens = 500;

export const memorySourceKinds = ['talk', 'chat', 'person'] as const;

/** Where a sentence comes from. */
export interface MemorySource {
  readonly kind: (typeof memorySourceKinds)[number];
  /** The talk or chat, and its title at that time. */
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  /** Milliseconds since 1970. */
  readonly when: number;
}

/** One thing that Parley knows of the user. */
export interface MemorySentence {
  readonly id: string;
  /** One line of plain text. */
  readonly text: string;
  readonly source: MemorySource;
  /** Whether Parley sends the sentence to the model. */
  readonly on: boolean;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** A sentence that waits for the user's decision. */
export interface MemorySuggestion {
  readonly id: string;
  readonly text: string;
  readonly source: MemorySource;
  /** The id of the sentence that the suggestion replaces. */
  readonly replaces?: string | undefined;
}

/** The part of the memory that the newest request carried. All numbers are 0 if it carried none. */
export interface MemorySent {
  readonly sentences: number;
  /** Sentences that are switched on and did not fit. */
  readonly leftOut: number;
  /** Estimated tokens of the text. */
  readonly tokens: number;
}

/** The memory as pages see it. */
export interface MemoryView {
  /** In the user's order; if not all fit into a request, the first ones go. */
  readonly sentences: readonly MemorySentence[];
  /** Estimated tokens of the sentences that are switched on. */
  readonly tokens: number;
  /** Sentences that the user may accept; they are not stored. */
  readonly suggestions: readonly MemorySuggestion[];
  /** The stored memory could not be read whole. */
  readonly problem?: AppError | undefined;
}

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
  /** Whether the running session got the passages; otherwise they wait for the next one. */
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
