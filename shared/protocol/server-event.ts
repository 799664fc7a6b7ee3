import type { ToolCallForm } from './client-event.ts';
import type { JsonObject } from './json.ts';
import type { DialectName } from './realtime-api.ts';
import type { TokenUsage } from './token-usage.ts';

/** Numbers that a server reports with an event, including those that Parley does not know. */
export interface Metrics {
  /** Tokens in the model's context: `kv_cache_length` from the event itself or from `metrics`, else from `usage`. */
  readonly contextTokens?: number | undefined;
  /** All numbers by their name on the wire, including `kv_cache_length`. */
  readonly values: Readonly<Record<string, number>>;
  /** Total usage of the session, if the server counts it; never shrinks. */
  readonly usage?: TokenUsage | undefined;
  /** Usage of this step. */
  readonly stepUsage?: TokenUsage | undefined;
  /** Number of the step, from 0. */
  readonly stepIndex?: number | undefined;
}

export interface CommonFields {
  readonly sessionId?: string | undefined;
  readonly responseId?: string | undefined;
  /** Our id of the append that the event answers, if the server echoes it. */
  readonly inputId?: string | undefined;
  /** When the server sent the event, in milliseconds of its clock. */
  readonly serverTime?: number | undefined;
  readonly metrics?: Metrics | undefined;
}

/** Everything that a server can send, in either dialect. */
export type ServerEvent =
  | QueuedEvent
  | AdmittedEvent
  | CreatedEvent
  | ListenEvent
  | OutputEvent
  | DoneEvent
  | ClosedEvent
  | ServerErrorEvent
  | ToolCallEvent
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

/** A worker is assigned; the session may be configured now. */
export interface AdmittedEvent extends CommonFields {
  readonly kind: 'admitted';
  readonly takesTools?: true | undefined;
}

export interface CreatedEvent extends CommonFields {
  readonly kind: 'created';
  /** The backend's mode, such as `full_duplex`; differs from the address's mode. */
  readonly runtimeMode?: string | undefined;
  readonly promptLength?: number | undefined;
  /** The server takes tools in talks; not in the documents. */
  readonly takesTools?: true | undefined;
}

/** The model of a talk calls a tool, or gives the call up. Newer servers only, where tools were sent at init. */
export interface ToolCallEvent extends CommonFields {
  readonly kind: 'toolCall';
  /** The server's id of the call. */
  readonly call: string;
  /** Undefined if the call is given up. */
  readonly ask?:
    | { readonly form: ToolCallForm; readonly name: string; readonly args: JsonObject }
    | undefined;
}

/** The model listens: the step brought no output, the turn ended, or the model yields. */
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
  /** Number of invalid samples replaced with silence. */
  readonly repairedSamples?: number | undefined;
  /** Legacy dialect only. */
  readonly endOfTurn?: boolean | undefined;
}

/** The end of a chat turn. The text is whole, or empty if all was streamed; sound only if none was streamed. */
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
  /** `client_error` or `server_error`, if given. */
  readonly type?: string | undefined;
}

/** An event or output kind unknown to this version, which is not an error. */
export interface UnknownEvent {
  readonly kind: 'unknown';
  readonly type: string;
  readonly raw: JsonObject;
}

/** A frame that is not an event, or a known event with invalid content. */
export interface MalformedEvent {
  readonly kind: 'malformed';
  readonly problem: string;
  /** The event's type, if it has one. */
  readonly type?: string | undefined;
}
