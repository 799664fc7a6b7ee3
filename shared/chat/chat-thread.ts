import { appError, type AppError } from '../errors/app-error.ts';
import type { PastPassage } from '../memory/memory-view.ts';
import type { ChatSettings } from '../settings/assistant-settings.ts';

/** A written conversation. Pictures and sounds are referenced by id. */
export interface ChatThread {
  readonly id: string;
  /** Empty until the first text. */
  readonly title: string;
  /** Milliseconds since 1970, like all times here. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly pinned: boolean;
  readonly turns: readonly Turn[];
  /** Alternatives kept after an edit, a retry or a choice of branch. */
  readonly branches: readonly ChatBranch[];
}

/** Turns that followed the turn `after`, or began the conversation if it is undefined. */
export interface ChatBranch {
  readonly id: string;
  readonly after?: string | undefined;
  readonly turns: readonly Turn[];
}

export type Turn = UserTurn | AssistantTurn;

export interface UserTurn {
  readonly role: 'user';
  readonly id: string;
  readonly at: number;
  readonly parts: readonly Part[];
  /** Passages of earlier conversations that were sent with the question. */
  readonly past?: readonly PastPassage[] | undefined;
  /** Conversations whose passages the user left out of the question. An edited question does not send them either. */
  readonly leftOut?: readonly Pick<PastPassage, 'kind' | 'id'>[] | undefined;
}

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly media: string }
  | { readonly type: 'audio'; readonly media: string; readonly seconds: number };

export interface AssistantTurn {
  readonly role: 'assistant';
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly state: ChatAnswerState;
  /** Seconds of the answer's speech that can be replayed until Parley quits. */
  readonly speechSeconds: number;
  readonly stats?: AnswerStats | undefined;
  /** The calls of tools, in order. */
  readonly calls?: readonly ToolCall[] | undefined;
}

/** A call of a tool within an answer. Another program may have written the response. */
export interface ToolCall {
  readonly id: string;
  /** Characters of the answer's text before the call. */
  readonly at: number;
  /** The name by which the model calls the tool. */
  readonly callName: string;
  readonly tool: string;
  /** Empty for a tool of Parley. */
  readonly server: string;
  /** The arguments as JSON. */
  readonly args: string;
  readonly state: ToolCallState;
  /** The tool does not declare itself harmless, so Parley asks the user every time. */
  readonly isRisky: boolean;
  readonly response: string;
  /** Why the call failed, if Parley knows. The model gets this as the response. */
  readonly error?: AppError | undefined;
}

export const toolCallStates = ['asking', 'running', 'done', 'failed', 'denied', 'stopped'] as const;

export type ToolCallState = (typeof toolCallStates)[number];

export const callDecisions = ['once', 'chat', 'always', 'deny'] as const;

/** The user's decision about a call: allow it once, in this conversation or always, or deny it. */
export type CallDecision = (typeof callDecisions)[number];

export type ChatAnswerState =
  | { readonly kind: 'streaming' }
  /** `cutShort` if the answer reached its length limit. */
  | { readonly kind: 'done'; readonly cutShort: boolean }
  /** Stopped by the user; the text so far is kept. */
  | { readonly kind: 'stopped' }
  /** The text so far is kept. */
  | {
      readonly kind: 'failed';
      readonly error: AppError;
    };

export interface AnswerStats {
  /** From sending to the first text or sound. */
  readonly firstMs?: number | undefined;
  readonly totalMs: number;
  readonly contextTokens?: number | undefined;
}

/** A conversation in the side list. */
export interface ChatSummary {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: number;
  readonly pinned: boolean;
}

export interface ChatSearchHit extends ChatSummary {
  /** Text around the match; empty if only the title matches. */
  readonly excerpt: string;
  /** The turn of the match, which may be in a hidden version. */
  readonly turn?: string | undefined;
}

export function summarizeChat(conversation: ChatThread): ChatSummary {
  const { id, title, updatedAt, pinned } = conversation;
  return { id, title, updatedAt, pinned };
}

/** Limits that page and core check before reading a file. */
export const maxPictureBytes = 50_000_000;
export const maxSoundBytes = 120_000_000;

/** Five minutes of sound fill more than a third of the documented context. */
export const maxClipSeconds = 300;

/** A file that the user picks, drops or pastes; its content is not read yet. */
export interface AttachmentFile {
  readonly name: string;
  readonly bytes: number;
}

/** Returns an error if the file is too large. */
export function attachmentSizeError({ name, bytes }: AttachmentFile): AppError | undefined {
  const isSound = isSoundFileName(name);
  const maxMegabytes = (isSound ? maxSoundBytes : maxPictureBytes) / 1_000_000;
  const size = Math.ceil(bytes / 1_000_000);
  if (bytes <= maxMegabytes * 1_000_000) return undefined;
  return appError(isSound ? 'soundHeavy' : 'pictureHeavy', { name, most: maxMegabytes, size });
}

export function isSoundFileName(name: string): boolean {
  return /\.wave?$/iu.test(name);
}

/** An attachment that is ready to send. */
export interface PreparedAttachment {
  readonly part: Exclude<Part, { type: 'text' }>;
  /** Says how the model will receive the attachment, for example that it was cut. */
  readonly notice?: AppError | undefined;
}

/** The full chat state for a page that connects. */
export interface ChatView {
  readonly conversation: ChatThread;
  readonly options: ChatSettings;
  readonly list: readonly ChatSummary[];
  /** Why conversations are not stored now; a page that opens later gets no notice of it. */
  readonly problems?: readonly AppError[] | undefined;
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
