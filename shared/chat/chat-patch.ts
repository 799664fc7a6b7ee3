import type { ChatSettings } from '../settings/chat-settings.ts';
import type { AnswerStats, ChatAnswerState, ChatSummary, ChatThread, Turn } from './chat-thread.ts';

/** All of written conversations that a page shows, for one that comes in the middle of it. */
export interface ChatView {
  readonly conversation: ChatThread;
  readonly options: ChatSettings;
  readonly list: readonly ChatSummary[];
}

/** What stands in a conversation by its id, as a page shows or plays it: a JPEG, or a WAV file. */
export interface ChatMedia {
  readonly type: 'image' | 'audio';
  readonly file: Uint8Array;
}

/** One change of the open conversation. What is streamed comes in pieces and never as a whole. */
export type ChatPatch =
  /** Another conversation, or another order of this one. */
  | { readonly kind: 'replaced'; readonly conversation: ChatThread }
  | { readonly kind: 'added'; readonly turn: Turn }
  | { readonly kind: 'titled'; readonly title: string }
  /** Follows the text that is there; `from` is its length, by which a lost piece would show. */
  | { readonly kind: 'text'; readonly turn: string; readonly from: number; readonly text: string }
  /** The end brought another text than the pieces did. */
  | { readonly kind: 'rewritten'; readonly turn: string; readonly text: string }
  | {
      readonly kind: 'answer';
      readonly turn: string;
      readonly state: ChatAnswerState;
      readonly stats?: AnswerStats | undefined;
    }
  | { readonly kind: 'speech'; readonly turn: string; readonly seconds: number }
  /** So many characters of the turn's text have been heard; `playing` ends with the sound. */
  | {
      readonly kind: 'caption';
      readonly turn: string;
      readonly heard: number;
      readonly playing: boolean;
    }
  | { readonly kind: 'line'; readonly line: ChatConnectionState }
  /** What of the conversation went along with the newest question. */
  | { readonly kind: 'sent'; readonly sent: SentHistory }
  | { readonly kind: 'options'; readonly options: ChatSettings };

/** Where the way to the server stands; `idle` is without a connection, which is no fault. */
export interface ChatConnectionState {
  readonly phase: 'idle' | 'connecting' | 'queued' | 'ready';
  readonly position?: number | undefined;
  readonly length?: number | undefined;
  readonly etaSeconds?: number | undefined;
}

export interface SentHistory {
  /** The oldest turn that the model was given; older ones it no longer knows. */
  readonly from: string;
  readonly leftOut: number;
  /** Where the message was too long by itself, and its middle stayed behind. */
  readonly shortened?: ShortenedMessage | undefined;
}

/** In characters: all there were, and those of its beginning and end that went along. */
export interface ShortenedMessage {
  readonly characters: number;
  readonly first: number;
  readonly last: number;
}
