import type { AppError } from '../errors/app-error.ts';

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
