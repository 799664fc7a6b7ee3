import type { ChatThread } from '../chat/chat-thread.ts';
import type { AppError } from '../errors/app-error.ts';

/** The characters of a question, or of the text that it begins with. */
export const maxQuestionLength = 100_000;

/** A key of `cursor` settings that the user pressed in another program; actions by their id. */
export type CursorKey = 'ask' | 'dictate' | 'look' | 'region' | { readonly action: string };

/**
 * Things that a question can include: the selected text, the clipboard, the title of the other program's window, and
 * pictures of the screen or of a part.
 */
export const offerKinds = ['selection', 'clipboard', 'window', 'screen', 'region'] as const;

export type OfferKind = (typeof offerKinds)[number];

export interface Offer {
  readonly kind: OfferKind;
  /** The beginning of the text on one line; empty for a picture. */
  readonly excerpt: string;
  /** Characters of the text that can be sent; 0 for a picture. */
  readonly characters: number;
  /** The text was longer than Parley takes. */
  readonly cut: boolean;
  readonly included: boolean;
}

export type DictationState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'opening' }
  /** `hold` ends with the release of the key, `tap` with the next press. */
  | { readonly kind: 'listening'; readonly activation: 'hold' | 'tap' }
  /** The microphone is closed, and the server writes the last phrases down. */
  | { readonly kind: 'writing' }
  /** Runs the mode's action on the words, or puts them into the other program. */
  | { readonly kind: 'finishing' }
  /** The words are in the question. */
  | { readonly kind: 'done' }
  /** The other program is gone or takes no keys, so the words are on the clipboard. */
  | { readonly kind: 'copiedInstead'; readonly error: AppError }
  | { readonly kind: 'nothingHeard' }
  | {
      readonly kind: 'failed';
      readonly error: AppError;
      /** The microphone did not open, so there are no words to try again. */
      readonly unheard?: boolean | undefined;
    };

/** Whether the user can wait for a busy server; while waiting, Parley asks again until the server is free. */
export type ServerWait = 'none' | 'offered' | 'waiting';

export interface DictationView {
  readonly state: DictationState;
  /** The words recognised so far. */
  readonly text: string;
  /** The place in the server's queue while the transcription waits there, if the server reports it. */
  readonly place?: number | undefined;
  readonly wait: ServerWait;
}

export const idleDictation: DictationView = {
  state: { kind: 'idle' },
  text: '',
  wait: 'none',
};

/** How the newest answer was used. */
export type AnswerUse =
  | { readonly kind: 'none' | 'copied' | 'inserting' | 'inserted' }
  /** The other program is gone or takes no keys, so the answer is on the clipboard. */
  | { readonly kind: 'copiedInstead'; readonly error: AppError };

/** The small window without its conversation. */
export interface QuickState {
  readonly surface: 'closed' | 'ask' | 'dictate';
  /** Counts how often the window was opened, so that the page focuses its field again. */
  readonly opened: number;
  /** Text to begin with, from a command. */
  readonly draft: string;
  /** The title of the other program's window; empty if it is unknown. */
  readonly target: string;
  readonly canInsert: boolean;
  readonly offers: readonly Offer[];
  /** The id of the action that asked the newest question; empty for a typed one. */
  readonly action: string;
  readonly use: AnswerUse;
  readonly wait: ServerWait;
  readonly dictation: DictationView;
  readonly error?: AppError | undefined;
}

export const closedQuick: QuickState = {
  surface: 'closed',
  opened: 0,
  draft: '',
  target: '',
  canInsert: false,
  offers: [],
  action: '',
  use: { kind: 'none' },
  wait: 'none',
  dictation: idleDictation,
};

export interface QuickView {
  readonly state: QuickState;
  readonly conversation: ChatThread;
}

export const emptyThread: ChatThread = {
  id: 'quick',
  title: '',
  createdAt: 0,
  updatedAt: 0,
  pinned: false,
  turns: [],
  branches: [],
};
