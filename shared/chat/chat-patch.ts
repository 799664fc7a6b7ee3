import type { ChatSettings } from '../settings/chat-settings.ts';
import type {
  AnswerStats,
  ChatAnswerState,
  ChatSummary,
  ChatThread,
  ToolCall,
  Turn,
} from './chat-thread.ts';

/** The full chat state for a page that connects. */
export interface ChatView {
  readonly conversation: ChatThread;
  readonly options: ChatSettings;
  readonly list: readonly ChatSummary[];
}

/** A picture (JPEG) or sound (WAV) of a conversation. */
export interface ChatMedia {
  readonly type: 'image' | 'audio';
  readonly file: Uint8Array;
}

/** A change to the open conversation. Streamed text comes in pieces. */
export type ChatPatch =
  /** A different conversation, or the turns in a new order. */
  | { readonly kind: 'replaced'; readonly conversation: ChatThread }
  | { readonly kind: 'added'; readonly turn: Turn }
  | { readonly kind: 'titled'; readonly title: string }
  /** Appends text. `from` is the length before it, so that a missing piece is detected. */
  | { readonly kind: 'text'; readonly turn: string; readonly from: number; readonly text: string }
  /** The final text differs from the streamed pieces. */
  | { readonly kind: 'rewritten'; readonly turn: string; readonly text: string }
  | {
      readonly kind: 'answer';
      readonly turn: string;
      readonly state: ChatAnswerState;
      readonly stats?: AnswerStats | undefined;
    }
  /** A new call of a tool, or a known one in another state. */
  | { readonly kind: 'call'; readonly turn: string; readonly call: ToolCall }
  | { readonly kind: 'speech'; readonly turn: string; readonly seconds: number }
  /** `heard` counts the characters spoken so far; `playing` is false once the sound ends. */
  | {
      readonly kind: 'caption';
      readonly turn: string;
      readonly heard: number;
      readonly playing: boolean;
    }
  | { readonly kind: 'line'; readonly line: ChatConnectionState }
  /** Which part of the conversation was sent with the newest question. */
  | { readonly kind: 'sent'; readonly sent: SentHistory }
  | { readonly kind: 'options'; readonly options: ChatSettings };

/** The connection to the server. `idle` means not connected, which is not an error. */
export interface ChatConnectionState {
  readonly phase: 'idle' | 'connecting' | 'queued' | 'ready';
  readonly position?: number | undefined;
  readonly length?: number | undefined;
  readonly etaSeconds?: number | undefined;
}

export interface SentHistory {
  /** The id of the oldest turn sent to the model. */
  readonly from: string;
  readonly leftOut: number;
  /** Present if the message alone was too long, so its middle was left out. */
  readonly shortened?: ShortenedMessage | undefined;
}

/** In characters: the full length, and the lengths kept of its beginning and end. */
export interface ShortenedMessage {
  readonly characters: number;
  readonly first: number;
  readonly last: number;
}
