import type { JsonObject } from './json.ts';
import type { TokenUsage } from './token-usage.ts';

export type DialectName = 'unified' | 'legacy';

/** Modes of a connection, `?mode=` in the address. */
export const modes = ['chat', 'audio', 'video'] as const;
export type Mode = (typeof modes)[number];

export type DuplexMode = Exclude<Mode, 'chat'>;

/**
 * Stands in the place of a mode for the older path of written conversations. The network adapter turns it into that
 * path.
 */
export const olderChatMode = 'older-chat';

/** The older path for written conversations, beside the realtime API's. */
export const olderChatPath = '/ws/chat';

/** WebSocket close codes. */
export const normalClosure = 1000;
export const tryAgainLater = 1013;

/** Microphone to server: 16 kHz mono. */
export const inputRate = 16_000;

/** Server to speaker: 24 kHz mono. */
export const outputRate = 24_000;

/** Default length of sound per message, which servers assume. */
export const defaultChunkMs = 1000;

/** The shortest audio an append may carry: 250 ms. */
export const minAppendSamples = 4000;

/** Documented limits of a session, in seconds; chat has none. */
export const sessionSeconds: Readonly<Record<DuplexMode, number>> = { video: 300, audio: 600 };

/** Documented time until the context is full, in seconds: well before the time limit. */
export const effectiveSeconds: Readonly<Record<DuplexMode, number>> = { video: 90, audio: 480 };

export const contextTokens = 8192;

/**
 * The context, in tokens, of the model on this computer, and the default of model servers. With a larger one, the model
 * speaks unevenly.
 */
export const backendContextTokens = 4096;

/** Known token costs of a frame; other slice counts are interpolated. */
export const frameTokens = { oneSlice: 64, fourSlices: 192 } as const;

/** Context tokens of a sound, with the marks around it. */
export function soundTokens(seconds: number): number {
  return Math.ceil(seconds * 10) + 2;
}

export const maxSlicesPerFrame = 9;

/** The protocol's largest client message: pictures and sound of a whole chat. */
export const maxClientMessageBytes = 128 * 1024 * 1024;

/** The limit of our gateway in a talk: three minutes of sound. Reading a longer message would delay other clients. */
export const maxTalkMessageBytes = 16 * 1024 * 1024;

/** The limit of our gateway before a session: a configure with two reference voices of half a minute. */
export const maxEarlyMessageBytes = 8 * 1024 * 1024;

/**
 * The limit for a server's message, before and after inflation: 49 seconds of sound in a talk, or two minutes
 * of a written answer's speech.
 */
export const maxServerMessageBytes: Readonly<Record<Mode, number>> = {
  audio: 6 * 1024 * 1024,
  video: 6 * 1024 * 1024,
  chat: 16 * 1024 * 1024,
};

/** Everything a client can send, in either dialect. */
export type ClientEvent =
  | ConfigureEvent
  | AppendEvent
  | ChatTurnEvent
  | ToolResultEvent
  | CloseSessionEvent;

/** Sent once after admission: `session.init`, or `session.update` in the legacy dialect. */
export interface ConfigureEvent {
  readonly kind: 'configure';
  /** Deployed servers accept `turn_based` for chat, regardless of the address. Parley's own client never sends it. */
  readonly runtimeMode?: string | undefined;
  readonly settings: SessionSettings;
  /** How the legacy dialect encodes a reference voice; WAV if omitted. */
  readonly voiceForm?: VoiceForm | undefined;
}

/** The API documents say WAV; deployed legacy servers read float32 and would play a WAV header as noise. */
export type VoiceForm = 'float32' | 'wav';

export interface SessionSettings {
  readonly instructions?: string | undefined;
  /** 16 kHz mono; the dialects encode it differently. */
  readonly voice?: ReferenceVoice | undefined;
  readonly generation?: GenerationOptions | undefined;
  /** Slices per frame, sent with the session. Only the legacy dialect has this; the unified one sends it with each append. */
  readonly maxSlices?: number | undefined;
  /** Tools that the model of a talk may call, for servers that take them. */
  readonly tools?: readonly JsonObject[] | undefined;
}

export interface ReferenceVoice {
  /** The voice whose style the model follows. */
  readonly model?: Float32Array | undefined;
  /** The voice that the model speaks with; the model's voice if omitted. */
  readonly speech?: Float32Array | undefined;
}

/** A chunk of microphone sound with the frames seen meanwhile: one step of the model. */
export interface AppendEvent {
  readonly kind: 'append';
  readonly inputId?: string | undefined;
  readonly audio: Float32Array;
  readonly frames?: readonly Uint8Array[] | undefined;
  readonly forceListen?: boolean | undefined;
  readonly maxSlices?: number | undefined;
  /** Where `forceListen` and `maxSlices` are written: in `input`, or in `input.hints`, which only the unified dialect has. */
  readonly flagsIn?: 'input' | 'hints' | undefined;
}

/** A chat turn; only the unified dialect has it. */
export interface ChatTurnEvent extends ChatQuestion {
  readonly kind: 'chat';
  readonly inputId?: string | undefined;
}

export interface ChatQuestion {
  readonly messages: readonly ChatMessage[];
  readonly streaming?: boolean | undefined;
  readonly maxNewTokens?: number | undefined;
  readonly lengthPenalty?: number | undefined;
  readonly maxSlices?: number | undefined;
  readonly omni?: boolean | undefined;
  readonly speech?: ChatSpeech | undefined;
  readonly useTtsTemplate?: boolean | undefined;
  readonly thinking?: boolean | undefined;
}

export interface ChatSpeech {
  readonly enabled: boolean;
  /** 16 kHz mono. */
  readonly voice?: Float32Array | undefined;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly ContentPart[];
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** A JPEG or PNG file. */
  | { readonly type: 'image'; readonly image: Uint8Array }
  /** 16 kHz mono. */
  | { readonly type: 'audio'; readonly audio: Float32Array }
  /** Undocumented: official pages send it, and a gateway passes it on unchanged. */
  | { readonly type: 'video'; readonly raw: JsonObject };

export interface CloseSessionEvent {
  readonly kind: 'close';
  /** `user_stop` if the user ends the session; chat sends `turn_done`. */
  readonly reason: string;
}

/** The two public drafts of tool calls in talks differ in the call's last event and in the field of its result. */
export type ToolCallForm = 'raw' | 'done';

/** The client's result of a call that the model of a talk made. */
export interface ToolResultEvent {
  readonly kind: 'toolResult';
  /** The server's id of the call. */
  readonly call: string;
  readonly form: ToolCallForm;
  readonly text: string;
}

export interface ClientEventProblem {
  readonly kind: 'problem';
  readonly code: 'bad_json' | 'unknown_event' | 'missing_field' | 'invalid_payload';
  readonly message: string;
}

/** Options of the duplex model: our name, the wire's name and the JSON type. */
export const generationFields = [
  ['lengthPenalty', 'length_penalty', 'number'],
  ['temperature', 'temperature', 'number'],
  ['topK', 'top_k', 'number'],
  ['topP', 'top_p', 'number'],
  ['textRepetitionPenalty', 'text_repetition_penalty', 'number'],
  ['listenProbScale', 'listen_prob_scale', 'number'],
  ['listenTopK', 'listen_top_k', 'number'],
  ['maxNewSpeakTokensPerChunk', 'max_new_speak_tokens_per_chunk', 'number'],
  ['forceListenCount', 'force_listen_count', 'number'],
  ['generateAudio', 'generate_audio', 'flag'],
  ['lsMode', 'ls_mode', 'text'],
  ['decodeMode', 'decode_mode', 'text'],
  ['ttsTemperature', 'tts_temperature', 'number'],
  ['ttsRepetitionPenalty', 'tts_repetition_penalty', 'number'],
  ['chunkMs', 'chunk_ms', 'number'],
] as const satisfies readonly (readonly [string, string, 'number' | 'flag' | 'text'])[];

type GenerationField = (typeof generationFields)[number];

/** Options of the duplex model; omitted ones use the server's default. */
export type GenerationOptions = {
  readonly [Field in GenerationField as Field[0]]?:
    | { number: number; flag: boolean; text: string }[Field[2]]
    | undefined;
} & {
  /** Options unknown to this version, sent unchanged. */
  readonly other?: JsonObject | undefined;
};

export function encodeGeneration(options: GenerationOptions): object {
  const known = generationFields.map(([ours, wire]) => {
    const value = options[ours];
    return [
      wire,
      typeof value === 'number' && !Number.isFinite(value) ? undefined : value,
    ] as const;
  });
  return {
    ...Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    ...options.other,
  };
}

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
  /** Whether the server takes tools in talks. The API documents do not have this field. */
  readonly takesTools?: true | undefined;
}

/** The model of a talk calls a tool, or aborts the call. Only newer servers send this, if tools were sent at init. */
export interface ToolCallEvent extends CommonFields {
  readonly kind: 'toolCall';
  /** The server's id of the call. */
  readonly call: string;
  /** Undefined if the call is aborted. */
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
