import type { JsonObject } from './json.ts';

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
  /** Deployed servers accept `turn_based` for chat, regardless of the address. Parley never sends it. */
  readonly runtimeMode?: string | undefined;
  readonly settings: SessionSettings;
  /** How the legacy dialect encodes a reference voice; WAV if omitted. */
  readonly voiceForm?: VoiceForm | undefined;
}

/** The documents say WAV; deployed legacy servers read float32 and would play a WAV header as noise. */
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

/** The two public drafts differ in the call's last event and in the field of its result. */
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
