import { type Base64, encodePcm, stringifyWithBytes } from './base64-media.ts';
import type { ClientReading } from './client-event-fields.ts';
import type { ChatTurnEvent, ClientEvent, ClientEventProblem } from './client-event.ts';
import { decodeClientEvent, decodeClientFrame, readClientFrame } from './decode-client-event.ts';
import { encodeLegacyServerEvent, encodeUnifiedServerEvent } from './encode-server-event.ts';
import type { DialectName } from './realtime-api.ts';
import type { DoneEvent, OutputEvent, ServerEvent } from './server-event.ts';

/** The server's side of the wire, for the embedded gateway. */
export interface ServerCodec {
  /** One event can take several frames: the unified dialect sends text and sound apart. */
  readonly encodeServerEvent: (event: ServerEvent, dialect: DialectName) => readonly string[];
  /** Never throws; an event of the other dialect is `unknown_event`. */
  readonly decodeClientEvent: (
    text: string,
    dialect: DialectName,
    reading?: ClientReading,
  ) => ClientEvent | ClientEventProblem;
  /** Of gateways of the older generation, for their written conversations. */
  readonly olderChat: OlderChatCodec;
}

export function createServerCodec(base64: Base64): ServerCodec {
  const encoders = { unified: encodeUnifiedServerEvent, legacy: encodeLegacyServerEvent } as const;
  return {
    encodeServerEvent: (event, dialect) =>
      stringifyWithBytes((bytes) => encoders[dialect](event, bytes), base64),
    decodeClientEvent: (text, dialect, reading) =>
      decodeClientEvent(text, dialect, base64, reading),
    olderChat: createOlderChatCodec(base64),
  };
}

/**
 * Written conversations as gateways of the older generation have them, at a path of their own: one request is one
 * frame without a type, and what is in it is what the unified dialect has in an append's `input`.
 */
interface OlderChatCodec {
  readonly decodeRequest: (text: string) => ChatTurnEvent | ClientEventProblem;
  readonly encodePrefill: (inputTokens: number) => string;
  readonly encodeChunk: (event: OutputEvent) => string;
  readonly encodeDone: (event: DoneEvent, tokens: OlderChatTokens) => string;
  readonly encodeError: (message: string) => string;
}

export interface OlderChatTokens {
  readonly input: number;
  readonly generated: number;
}

export function createOlderChatCodec(base64: Base64): OlderChatCodec {
  const sound = (audio: Float32Array | undefined): string | undefined =>
    audio && encodePcm(audio, base64);
  return {
    decodeRequest: (text) => {
      const read = readClientFrame(text);
      if ('problem' in read) return read.problem;
      const frame = { type: 'input.append', input: read.frame };
      const event = decodeClientFrame(frame, 'unified', base64, { lenient: true, mode: 'chat' });
      if (event.kind === 'chat' || event.kind === 'problem') return event;
      return { kind: 'problem', code: 'missing_field', message: 'messages field is required' };
    },
    encodePrefill: (inputTokens) =>
      JSON.stringify({ type: 'prefill_done', input_tokens: inputTokens }),
    encodeChunk: ({ text, audio }) =>
      JSON.stringify({ type: 'chunk', text_delta: text, audio_data: sound(audio) }),
    encodeDone: ({ text, audio }, { input, generated }) =>
      JSON.stringify({
        type: 'done',
        text,
        audio_data: sound(audio),
        generated_tokens: generated,
        input_tokens: input,
      }),
    encodeError: (message) => JSON.stringify({ type: 'error', error: message }),
  };
}
