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

/** Nobody talks: before a talk, and after it. */
export function isTalkOver(phase: TalkState['phase']): boolean {
  return phase === 'idle' || phase === 'ended';
}

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
  /** Whether it ended as it should: asked for by us, or a documented limit was reached. */
  readonly orderly: boolean;
}

/**
 * What the person is offered: a new session that knows what was said, the same attempt again, a look
 * at the endpoint's address, mode, trust and settings, a look at its token.
 */
export type TalkOffer = 'continue' | 'retry' | 'checkEndpoint' | 'checkToken' | 'none';

/**
 * How the talk key works. `open` needs no key; `hold` talks while it is down; `tap` talks from one
 * press to the next; `holdOrTap` is both: a short press stays on until the next one.
 */
export type PushToTalkMode = 'open' | 'hold' | 'tap' | 'holdOrTap';

/** What goes to the server of what the microphone captures. */
export interface TalkControls {
  readonly talking: PushToTalkMode;
  /** What is said now is heard by the model. */
  readonly transmitting: boolean;
  /** A captured block has really gone through since it was let: only then is it shown and sounded as open. */
  readonly passing: boolean;
  /** A tap keeps it open until the next one. */
  readonly latched: boolean;
  readonly muted: boolean;
  readonly coughMuted: boolean;
  readonly paused: boolean;
}

/** Who is heard speaking at the moment. */
export type Floor = 'nobody' | 'you' | 'parley' | 'both';

export type DeviceRole = 'microphone' | 'speaker';

/** What of the sound devices a person should know. */
export type DeviceState =
  /** None is used, or nothing is known of it yet. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'using'; readonly device: string }
  | { readonly kind: 'standsIn'; readonly device: string; readonly missing: string }
  /** Silence is captured, or what is said waits; `error` says what to do. */
  | { readonly kind: 'lost'; readonly error: AppError };

export type TalkDeviceStates = Readonly<Record<DeviceRole, DeviceState>>;

/** What is left of a session; a page counts `seconds` down itself, the rest as it is emitted. */
export interface TalkLimits {
  /** Of the time; unknown before the admission, in chat, and where a server has shown no limit. */
  readonly seconds: number | undefined;
  readonly tokens: number | undefined;
  /** How long the tokens last at the present rate. */
  readonly tokenSeconds: number | undefined;
  /** The server lets go of the oldest by itself: the context never ends this session. */
  readonly pruning: boolean;
}

export interface TalkWarning {
  readonly limit: 'time' | 'context';
  readonly threshold: 60 | 15;
  readonly secondsLeft: number;
}

/**
 * Whether a listen silences an answer that still sounds. `auto` distinguishes a turn that has ended from one
 * that was cut short; `always` silences at every listen, as the legacy document says; `never` leaves
 * it to the person to interrupt.
 */
export type YieldPolicy = 'auto' | 'always' | 'never';
