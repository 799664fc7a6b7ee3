import type { Socket, SocketListener } from '../../shared/ports/sockets.ts';
import {
  type Mode,
  type AppendEvent,
  type ChatMessage,
  type ChatTurnEvent,
  encodeGeneration,
  type GenerationOptions,
  type SessionSettings,
  type ServerEvent,
} from '../../shared/protocol/realtime-api.ts';
import { type Base64, encodePcm, stringifyWithBytes } from '../../shared/protocol/base64-media.ts';
import { encodeAppend, encodeChat } from '../../shared/protocol/client-codec.ts';
import { decodeServerEvent } from '../../shared/protocol/decode-server-event.ts';

/** A load of the model, before a session can begin. */
export interface BackendPreparation {
  /** The remaining time; undefined if it is unknown. */
  readonly etaSeconds: () => number | undefined;
  /**
   * Resolves at the end of the load: to false if the model could not be loaded, although that was tried several times. The
   * session's connection then fails, too.
   */
  readonly done: Promise<boolean>;
}

/** A model server (`llama-omni-server` or the PyTorch backend) that runs one session at a time. */
export interface Backend {
  /** Shown in the status: the address without secrets, or a name for this computer. */
  readonly name: string;
  readonly serves: 'both' | 'chat' | 'duplex';
  /** Loads the model for this mode, between two sessions. Undefined if a session would begin at once. */
  readonly prepare?: (mode: Mode) => BackendPreparation | undefined;
  /** Opens the WebSocket at `/backend`. */
  readonly connect: (listener: SocketListener) => Socket;
  /** Ends a session by `POST /sessions/{id}/close`. Resolves to false if the server did not do it in time. */
  readonly closeSession: (sessionId: string, reason: string) => Promise<boolean>;
  /** Gets the time of each answered step of a duplex session, from its append to its answer. */
  readonly onStep?: (milliseconds: number, hasPicture: boolean) => void;
  /** Asks `GET /health`. */
  readonly isHealthy: () => Promise<boolean>;
}

/** A report about a session's model server, for metrics. */
export type BackendStat =
  /** The server created the session `ms` after it got the settings. */
  | { readonly kind: 'created'; readonly ms: number }
  /**
   * A step, or the answer to a chat turn, took `ms` from its input to its end. `isSilent`: the server did not answer in
   * time.
   */
  | { readonly kind: 'step'; readonly ms: number; readonly isSilent: boolean }
  /** An append was joined with the next, or dropped, because the server is slower than the client. */
  | { readonly kind: 'late'; readonly what: 'joined' | 'dropped' }
  /** A documented error code, such as `backend_error`. */
  | { readonly kind: 'error'; readonly code: string }
  /** A malformed frame, or an event that this version does not know. */
  | { readonly kind: 'ignored'; readonly what: 'malformed' | 'unknown' }
  | { readonly kind: 'ended' };

/** Frames of a model server at `/backend`: the unified dialect with another first frame. */
export interface BackendCodec {
  readonly encodeInit: (init: BackendInit) => string;
  readonly encodeAppend: (append: AppendEvent) => string;
  readonly encodeChat: (turn: ChatTurnEvent) => string;
  /** Never throws. */
  readonly decode: (text: string) => ServerEvent;
}

export interface BackendInit {
  readonly mode: 'full_duplex' | 'turn_based';
  readonly settings: SessionSettings;
  /** 16 kHz mono; the server cannot start without one. */
  readonly defaultVoice: Float32Array;
}

export function createBackendCodec(base64: Base64): BackendCodec {
  const encode = (frame: (bytes: Base64) => object): string =>
    stringifyWithBytes((bytes) => [frame(bytes)], base64).join('');
  return {
    encodeInit: (init) => encode((bytes) => initFrame(init, bytes)),
    encodeAppend: (append) => encode((bytes) => encodeAppend(append, bytes)),
    encodeChat: (turn) => {
      const messages = turn.messages.map(messageWithoutTokens);
      return encode((bytes) => encodeChat({ ...turn, messages }, bytes));
    },
    decode: (text) => decodeServerEvent(text, base64),
  };
}

/** The server keeps the last prompt if it gets none, so one is always sent. */
const defaultPrompt = 'You are a helpful assistant.';

/** Defaults of the server's own page. */
const defaultGeneration: GenerationOptions = {
  lengthPenalty: 1.1,
  listenProbScale: 1,
  forceListenCount: 3,
  maxNewSpeakTokensPerChunk: 26,
  ttsTemperature: 0.8,
  temperature: 0.7,
  topP: 0.8,
  topK: 100,
};

function initFrame({ mode, settings, defaultVoice }: BackendInit, base64: Base64): object {
  const { instructions, generation, voice } = settings;
  const requestedPrompt = stripSpecialTokens(instructions ?? '');
  const prompt = requestedPrompt.trim() === '' ? defaultPrompt : requestedPrompt;
  const model = nonEmpty(voice?.model) ?? defaultVoice;
  const payload = {
    mode,
    // Always true: the server reloads the whole model if the value differs from the last session's.
    use_tts: true,
    // In duplex, the server leaves out the tokens around the prompt, so the prompt brings them.
    system_prompt: mode === 'full_duplex' ? `<|audio_end|>${prompt}<|im_end|>\n` : prompt,
    voice: {
      ref_audio: encodePcm(model, base64),
      tts_ref_audio: encodePcm(nonEmpty(voice?.speech) ?? model, base64),
    },
    config: encodeGeneration({ ...defaultGeneration, ...generation }),
  };
  return { type: 'session.init', payload };
}

function nonEmpty(voice: Float32Array | undefined): Float32Array | undefined {
  return voice !== undefined && voice.length > 0 ? voice : undefined;
}

const specialToken = /<\|[^<>|]*\|>/u;
const specialTokens = new RegExp(specialToken, 'gu');

/** Removes tokens such as `<|im_end|>`, which would end the prompt or the user's message early. */
function stripSpecialTokens(text: string): string {
  const stripped = text.replaceAll(specialTokens, '');
  // Removing a token can join the parts of another.
  return specialToken.test(stripped) ? stripped.replaceAll('<|', '< |') : stripped;
}

function messageWithoutTokens({ role, content }: ChatMessage): ChatMessage {
  if (typeof content === 'string') return { role, content: stripSpecialTokens(content) };
  return {
    role,
    content: content.map((part) =>
      part.type === 'text' ? { type: 'text', text: stripSpecialTokens(part.text) } : part,
    ),
  };
}
