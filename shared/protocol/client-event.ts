import type { JsonObject } from './json.ts';

/** Everything we can ask of a server, whichever dialect it speaks. */
export type ClientEvent = ConfigureEvent | AppendEvent | ChatTurnEvent | CloseSessionEvent;

/** Once, after being admitted: `session.init`, or `session.update` in the legacy dialect. */
export interface ConfigureEvent {
  readonly kind: 'configure';
  /** Deployed servers take `turn_based` for chat, whatever the address says. Parley never says it. */
  readonly runtimeMode?: string | undefined;
  readonly settings: SessionSettings;
  /** How the legacy dialect writes a reference voice: a WAV file where it is left out. */
  readonly voiceForm?: VoiceForm | undefined;
}

/** Documents say WAV; deployed servers of the legacy dialect read float32, and hear a WAV file's head as noise. */
export type VoiceForm = 'float32' | 'wav';

export interface SessionSettings {
  readonly instructions?: string | undefined;
  /** 16 kHz mono; each dialect wraps it in its own way. */
  readonly voice?: ReferenceVoice | undefined;
  readonly generation?: GenerationOptions | undefined;
  /** Slices a frame; per session in the legacy dialect only, else per append. */
  readonly maxSlices?: number | undefined;
}

export interface ReferenceVoice {
  /** Whom the model takes after in what it says and how. */
  readonly model?: Float32Array | undefined;
  /** Whose voice it speaks with; falls back to the model's. */
  readonly speech?: Float32Array | undefined;
}

/** One chunk of the microphone, with the frames seen meanwhile: one step of the model. */
export interface AppendEvent {
  readonly kind: 'append';
  readonly inputId?: string | undefined;
  /** 16 kHz mono. */
  readonly audio: Float32Array;
  /** JPEG files. */
  readonly frames?: readonly Uint8Array[] | undefined;
  readonly forceListen?: boolean | undefined;
  readonly maxSlices?: number | undefined;
  /** Servers take the two flags in either place; only the unified dialect knows the second. */
  readonly flagsIn?: 'input' | 'hints' | undefined;
}

/** One turn of chat; only the unified dialect has it. */
export interface ChatTurnEvent {
  readonly kind: 'chat';
  readonly inputId?: string | undefined;
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
  | { readonly type: 'audio'; readonly audio: Float32Array };

export interface CloseSessionEvent {
  readonly kind: 'close';
  /** `user_stop` where a person ends it; chat says `turn_done`. */
  readonly reason: string;
}

/** Why an ask could not be read, as documented servers put it. */
export interface ClientEventProblem {
  readonly kind: 'problem';
  readonly code: 'bad_json' | 'unknown_event' | 'missing_field' | 'invalid_payload';
  readonly message: string;
}

/** The duplex model's settings: our name, the wire's, and what JSON they are. */
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

/** Settings of the duplex model; what is left out is the server's own default. */
export type GenerationOptions = {
  readonly [Field in GenerationField as Field[0]]?:
    | { number: number; flag: boolean; text: string }[Field[2]]
    | undefined;
} & {
  /** Options that this version does not know, sent as they are. */
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
