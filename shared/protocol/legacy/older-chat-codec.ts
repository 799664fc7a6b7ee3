import type { Base64 } from '../base64.ts';
import type { ChatTurnEvent, ClientEventProblem } from '../client-event.ts';
import { decodeClientFrame, readClientFrame } from '../decode/decode-client-event.ts';
import { encodePcm } from '../pcm.ts';
import type { DoneEvent, OutputEvent } from '../server-event.ts';

/**
 * Written conversations as gateways of the older generation have them, at a path of their own: one request is one
 * frame without a type, and what is in it is what the unified dialect has in an append's `input`.
 */
export interface OlderChatCodec {
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
