import type { AppError } from '../errors/app-error.ts';

/** State of a talk for pages, posted on change. */
export type TalkState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'connecting' }
  | TalkQueued
  /** `quiet`: a server that answered regularly has been silent for seconds. */
  | { readonly phase: 'live'; readonly quiet?: true }
  | TalkReconnecting
  | { readonly phase: 'ending' }
  | TalkEnded;

/** Whether no talk is running. */
export function isTalkOver(phase: TalkState['phase']): boolean {
  return phase === 'idle' || phase === 'ended';
}

export interface TalkQueued {
  readonly phase: 'queued';
  readonly position: number | undefined;
  readonly length: number | undefined;
  /** The server's last estimate; pages count down between updates. */
  readonly etaSeconds: number | undefined;
}

export interface TalkReconnecting {
  readonly phase: 'reconnecting';
  /** Number of the attempt, from 1, since the talk was last live. */
  readonly attempt: number;
  /** Delay of the attempt, 0 while it runs; pages count down between updates. */
  readonly inMs: number;
  readonly error: AppError;
}

export interface TalkEnded {
  readonly phase: 'ended';
  readonly ending: TalkEnding;
  readonly offer: TalkOffer;
}

export interface TalkEnding {
  /** Reason of the end, also for a normal one. */
  readonly error: AppError;
  readonly by: 'client' | 'server' | 'network';
  /** Whether the user ended the talk or it reached a documented limit. */
  readonly orderly: boolean;
}

/** Offered after a talk: a new session with the transcript, the same attempt again, or the endpoint's settings. */
export type TalkOffer = 'continue' | 'retry' | 'checkEndpoint' | 'checkToken' | 'none';

/**
 * `open` needs no key; `hold` talks while it is down; `tap` from press to press; `holdOrTap`: a
 * short press latches.
 */
export type PushToTalkMode = 'open' | 'hold' | 'tap' | 'holdOrTap';

export interface TalkControls {
  readonly talking: PushToTalkMode;
  /** The gate is open: the model hears the user. */
  readonly transmitting: boolean;
  /** A block was transmitted since the gate opened. Only then Parley shows the microphone as open, and plays its sound. */
  readonly passing: boolean;
  /** A tap latched the key until the next one. */
  readonly latched: boolean;
  readonly muted: boolean;
  readonly coughMuted: boolean;
  readonly paused: boolean;
}

export type Floor = 'nobody' | 'you' | 'parley' | 'both';

export type DeviceRole = 'microphone' | 'speaker';

export type DeviceState =
  /** No device is open, or its state is unknown. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'using'; readonly device: string }
  | { readonly kind: 'standsIn'; readonly device: string; readonly missing: string }
  /** Silence is captured, or playback waits; `error` tells the user what to do. */
  | { readonly kind: 'lost'; readonly error: AppError };

export type TalkDeviceStates = Readonly<Record<DeviceRole, DeviceState>>;

/** Remaining limits of a session; pages count `seconds` down between updates. */
export interface TalkLimits {
  /** Time; undefined before admission, in chat, and without a known limit. */
  readonly seconds: number | undefined;
  readonly tokens: number | undefined;
  /** How long the tokens last at the present rate. */
  readonly tokenSeconds: number | undefined;
  /** The server prunes its context, which therefore never ends the session. */
  readonly pruning: boolean;
}

export interface TalkWarning {
  readonly limit: 'time' | 'context';
  readonly threshold: 60 | 15;
  readonly secondsLeft: number;
}

/**
 * Whether a listen silences a sounding answer. `auto` spares finished turns; `always` follows the
 * legacy document; `never` leaves it to the user.
 */
export type YieldPolicy = 'auto' | 'always' | 'never';
