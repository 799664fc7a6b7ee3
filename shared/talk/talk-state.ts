import type { Why } from '../why.ts';

/** Where a conversation stands, as a page shows it. Posted when it changes, never more often. */
export type TalkState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'connecting' }
  | TalkQueued
  | { readonly phase: 'live' }
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
  /** What happened, for a person. */
  readonly reason: string;
  readonly ending: EndingFacts;
}

export interface TalkEnded {
  readonly phase: 'ended';
  readonly ending: TalkEnding;
  readonly offer: TalkOffer;
}

/** The facts of an ending, for those who have words of their own for it. */
export interface EndingFacts {
  readonly reason: string;
  /** With `refused`: the HTTP status of the answer. */
  readonly status?: number | undefined;
  /** With `unreachable`: what stood in the way. */
  readonly why?: Why | undefined;
  /** The server's own words. */
  readonly said?: string | undefined;
}

export interface TalkEnding extends EndingFacts {
  readonly by: 'client' | 'server' | 'network';
  /** What happened and what to do, for a person. */
  readonly message: string;
  readonly orderly: boolean;
}

/** What a person may do after the end: see `electron/conversation/policies`. */
export type TalkOffer = 'continue' | 'retry' | 'checkEndpoint' | 'checkToken' | 'none';
