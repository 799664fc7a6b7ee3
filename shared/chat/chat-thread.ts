import { type AppError, appError } from '../errors/app-error.ts';

/** A written conversation, as page and core speak of it. Pictures and sound stand in it by their ids. */
export interface ChatThread {
  readonly id: string;
  /** Empty until something has been said in words. */
  readonly title: string;
  /** Milliseconds since 1970, like all times here. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly pinned: boolean;
  readonly turns: readonly Turn[];
  /** What was said instead before something was edited, asked anew or chosen. */
  readonly branches: readonly ChatBranch[];
}

/** Turns that once followed a turn (or stood at the beginning), and can follow it again. */
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
  /** How much speech of it can be played again in this run. */
  readonly speechSeconds: number;
  readonly stats?: AnswerStats | undefined;
}

export type ChatAnswerState =
  | { readonly kind: 'streaming' }
  /** `cutShort` where the answer met its length limit. */
  | { readonly kind: 'done'; readonly cutShort: boolean }
  /** By the person; what had come is kept. */
  | { readonly kind: 'stopped' }
  /** What happened and what to do; what had come is kept. */
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

/** A conversation as it stands in the side list. */
export interface ChatSummary {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: number;
  readonly pinned: boolean;
}

export interface ChatSearchHit extends ChatSummary {
  /** A piece of the text around what was found; empty where it was found in the title only. */
  readonly excerpt: string;
}

export function chatSummaryOf(conversation: ChatThread): ChatSummary {
  const { id, title, updatedAt, pinned } = conversation;
  return { id, title, updatedAt, pinned };
}

/** Looked at before a file is read, by the page as well as by the core. */
export const maxPictureBytes = 50_000_000;
export const maxSoundBytes = 120_000_000;

/** What of the model's memory a clip may take: five minutes are about a third. */
export const maxClipSeconds = 300;

/** A file that a person picks, drops or pastes, before anything of it is read. */
export interface AttachmentFile {
  readonly name: string;
  readonly bytes: number;
}

/** Why a file is too large to be attached, or nothing. */
export function attachmentSizeError({ name, bytes }: AttachmentFile): AppError | undefined {
  const sound = isSoundFileName(name);
  const most = (sound ? maxSoundBytes : maxPictureBytes) / 1_000_000;
  const size = Math.ceil(bytes / 1_000_000);
  if (bytes <= most * 1_000_000) return undefined;
  return appError(sound ? 'soundHeavy' : 'pictureHeavy', { name, most, size });
}

export function isSoundFileName(name: string): boolean {
  return /\.wave?$/iu.test(name);
}

/** A picture or sound that is ready to be sent. */
export interface PreparedAttachment {
  readonly part: Exclude<Part, { type: 'text' }>;
  /** Something worth knowing about what the model will get of it. */
  readonly notice?: AppError | undefined;
}
