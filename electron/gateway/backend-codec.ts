import { type Base64, encodePcm } from '../../shared/protocol/base64-media.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import {
  type AppendEvent,
  type ChatTurnEvent,
  encodeGeneration,
  type SessionSettings,
} from '../../shared/protocol/client-event.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';

export type BackendMode = 'full_duplex' | 'turn_based';

/** The wire of `/backend`: the unified dialect with another first message. */
export interface BackendCodec {
  readonly encodeInit: (
    mode: BackendMode,
    settings: SessionSettings,
    defaultVoice: Float32Array,
  ) => string;
  readonly encodeInput: (input: AppendEvent | ChatTurnEvent) => string;
  readonly decode: (text: string) => ServerEvent;
}

/** The model server's own defaults, as its pages send them. */
const defaultConfig = {
  listen_prob_scale: 1,
  force_listen_count: 3,
  max_new_speak_tokens_per_chunk: 26,
  tts_temperature: 0.8,
  temperature: 0.7,
  top_p: 0.8,
  top_k: 100,
};

export function createBackendCodec(base64: Base64): BackendCodec {
  const codec = createClientCodec(base64);
  return {
    encodeInit: (mode, { instructions, voice, generation }, defaultVoice) => {
      const reference = voice?.model ?? voice?.speech ?? defaultVoice;
      const payload = {
        mode,
        use_tts: generation?.generateAudio !== false,
        system_prompt: backendPrompt(mode, instructions),
        // The server's default reference is a path on the machine that built it.
        voice: {
          ref_audio: encodePcm(reference, base64),
          tts_ref_audio: encodePcm(voice?.speech ?? reference, base64),
        },
        config: { ...defaultConfig, ...(generation && encodeGeneration(generation)) },
      };
      return JSON.stringify({ type: 'session.init', payload });
    },
    encodeInput: (input) => codec.encodeClientEvent(input, 'unified'),
    decode: codec.decodeServerEvent,
  };
}

const defaultPrompt = 'You are a helpful assistant.';
const specialToken = /<\|[^|<>]*\|>/gu;

/**
 * In duplex the server puts this text where its own prompt has the tokens that end the reference voice, so they
 * must be part of it. A reused context keeps the previous prompt, so there is always one.
 */
export function backendPrompt(mode: BackendMode, instructions = ''): string {
  const text = stripSpecialTokens(instructions).trim() || defaultPrompt;
  return mode === 'full_duplex' ? `<|audio_end|>${text}<|im_end|>\n` : text;
}

/** Repeats, because removing one token can join the halves of another. */
function stripSpecialTokens(text: string): string {
  const stripped = text.replaceAll(specialToken, '');
  return stripped === text ? text : stripSpecialTokens(stripped);
}
