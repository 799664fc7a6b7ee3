import type { JsonObject } from './json.ts';
import type { DialectName } from './realtime-api.ts';
import type { TokenUsage } from './token-usage.ts';

/** Figures that servers send along. Which ones come depends on the server; all that come are kept. */
export interface Metrics {
  /** Tokens in the model's context (`kv_cache_length` on the wire, in either place), else those of `usage`. */
  readonly contextTokens?: number | undefined;
  /** Every figure by its name on the wire, the context's included. */
  readonly figures: Readonly<Record<string, number>>;
  /** All that the session has used up to here, where a server counts it; it never shrinks. */
  readonly usage?: TokenUsage | undefined;
  /** Of that what this step alone has used. */
  readonly stepUsage?: TokenUsage | undefined;
  /** The step's number, from 0. */
  readonly stepIndex?: number | undefined;
}

/** What any event may carry besides its own matter. */
export interface CommonFields {
  readonly sessionId?: string | undefined;
  readonly responseId?: string | undefined;
  /** Our own id of the append that this answers, where the server echoes it. */
  readonly inputId?: string | undefined;
  /** When the server sent it, in milliseconds of its own clock. */
  readonly serverTime?: number | undefined;
  readonly metrics?: Metrics | undefined;
}

/** Everything a server can tell, whichever dialect it speaks. */
export type ServerEvent =
  | QueuedEvent
  | AdmittedEvent
  | CreatedEvent
  | ListenEvent
  | OutputEvent
  | DoneEvent
  | ClosedEvent
  | ServerErrorEvent
  | UnknownEvent
  | MalformedEvent;

/** Waiting for a worker: `joined` once, `moved` with every later update. */
export interface QueuedEvent extends CommonFields {
  readonly kind: 'queued';
  readonly stage: 'joined' | 'moved';
  readonly position?: number | undefined;
  readonly length?: number | undefined;
  readonly etaSeconds?: number | undefined;
  readonly ticket?: string | undefined;
}

/** A worker is assigned; only now may the session be configured. */
export interface AdmittedEvent extends CommonFields {
  readonly kind: 'admitted';
}

export interface CreatedEvent extends CommonFields {
  readonly kind: 'created';
  /** The backend's own mode, such as `full_duplex`: not the mode of the address. */
  readonly runtimeMode?: string | undefined;
  readonly promptLength?: number | undefined;
}

/** The model listens: nothing came of this step, or its turn has ended, or it yields. */
export interface ListenEvent extends CommonFields {
  readonly kind: 'listen';
  readonly wire: DialectName;
}

/** The model speaks: text, sound, or both. Sound is 24 kHz mono. */
export interface OutputEvent extends CommonFields {
  readonly kind: 'output';
  readonly wire: DialectName;
  readonly text?: string | undefined;
  readonly audio?: Float32Array | undefined;
  /** How many samples were no number and have been made silence. */
  readonly repairedSamples?: number | undefined;
  /** Only the legacy dialect says so. */
  readonly endOfTurn?: boolean | undefined;
}

/** The end of one turn of chat, with its whole text; sound only where none was streamed. */
export interface DoneEvent extends CommonFields {
  readonly kind: 'done';
  readonly text: string;
  readonly reason?: string | undefined;
  readonly audio?: Float32Array | undefined;
  readonly repairedSamples?: number | undefined;
}

export interface ClosedEvent extends CommonFields {
  readonly kind: 'closed';
  readonly reason: string;
  readonly diagnostic?: string | undefined;
}

export interface ServerErrorEvent extends CommonFields {
  readonly kind: 'error';
  readonly code: string;
  readonly message: string;
  /** `client_error` or `server_error`, where given. */
  readonly type?: string | undefined;
}

/** An event or a kind of output that this version does not know. Never an error. */
export interface UnknownEvent {
  readonly kind: 'unknown';
  readonly type: string;
  readonly raw: JsonObject;
}

/** What is no event at all, or a known one whose matter cannot be used; `problem` says why. */
export interface MalformedEvent {
  readonly kind: 'malformed';
  readonly problem: string;
  /** The event's type where it has one. */
  readonly type?: string | undefined;
}
