import type { AppError } from '../errors/app-error.ts';

/** Where a conversation stands, as a page shows it. Posted when it changes, never more often. */
export type TalkState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'connecting' }
  | TalkQueued
  /** `quiet` where a server that answered all the time says nothing for seconds. */
  | { readonly phase: 'live'; readonly quiet?: true }
  | TalkReconnecting
  | { readonly phase: 'ending' }
  | TalkEnded;

export interface TalkQueued {
  readonly phase: 'queued';
  readonly position: number | undefined;
  readonly length: number | undefined;
  /** As the server last said; a page counts it down itself. */
  readonly etaSeconds: number | undefined;
}

export interface TalkReconnecting {
  readonly phase: 'reconnecting';
  /** From 1 on, since the last time it went well. */
  readonly attempt: number;
  /** When it is tried; 0 while it is being tried. A page counts it down itself. */
  readonly inMs: number;
  /** What it is tried again after. */
  readonly error: AppError;
}

export interface TalkEnded {
  readonly phase: 'ended';
  readonly ending: TalkEnding;
  readonly offer: TalkOffer;
}

export interface TalkEnding {
  /** What it ended for, also where that is as it should be. */
  readonly error: AppError;
  readonly by: 'client' | 'server' | 'network';
  readonly orderly: boolean;
}

/** What a person may do after the end: see `electron/conversation/policies`. */
export type TalkOffer = 'continue' | 'retry' | 'checkEndpoint' | 'checkToken' | 'none';
