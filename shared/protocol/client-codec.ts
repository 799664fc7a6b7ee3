import { encodeWav } from '../audio/wav.ts';
import { type Base64, encodePcm, stringifyWithBytes } from './base64-media.ts';
import {
  type AppendEvent,
  type ChatMessage,
  type ChatQuestion,
  type ChatTurnEvent,
  type ClientEvent,
  type ConfigureEvent,
  type ContentPart,
  encodeGeneration,
  type DialectName,
  inputRate,
  maxSlicesPerFrame,
  type ServerEvent,
} from './realtime-api.ts';
import { decodeServerEvent } from './decode-server-event.ts';
import { encodeToolResult } from './duplex-tools.ts';

/** The client's side of the wire. A server event's name identifies its dialect, so decoding needs no parameter for it. */
export interface ClientCodec {
  /** Throws only for an event that the dialect lacks: a chat turn or a tool result in legacy. */
  readonly encodeClientEvent: (event: ClientEvent, dialect: DialectName) => string;
  /** Never throws. */
  readonly decodeServerEvent: (text: string) => ServerEvent;
}

export function createClientCodec(base64: Base64): ClientCodec {
  const encoders = { unified: encodeUnifiedClientEvent, legacy: encodeLegacyClientEvent } as const;
  return {
    encodeClientEvent: (event, dialect) =>
      stringifyWithBytes((bytes) => [encoders[dialect](event, bytes)], base64).join(''),
    decodeServerEvent: (text) => decodeServerEvent(text, base64),
  };
}

/** Encodes a client event; JSON omits undefined fields. */
function encodeUnifiedClientEvent(event: ClientEvent, base64: Base64): object {
  switch (event.kind) {
    case 'configure':
      return encodeInit(event, base64);
    case 'append':
      return encodeAppend(event, base64);
    case 'chat':
      return encodeChat(event, base64);
    case 'toolResult':
      return encodeToolResult(event);
    case 'close':
      return { type: 'session.close', reason: event.reason };
  }
}

function encodeInit({ settings }: ConfigureEvent, base64: Base64): object {
  const { instructions, generation, voice, tools } = settings;
  const payload = {
    system_prompt: instructions,
    tools,
    config: generation && unlessEmpty(encodeGeneration(generation)),
    voice: unlessEmpty({
      ref_audio_base64: voice?.model && encodePcm(voice.model, base64),
      tts_ref_audio_base64: voice?.speech && encodePcm(voice.speech, base64),
    }),
  };
  return { type: 'session.init', payload };
}

export function encodeAppend(event: AppendEvent, base64: Base64): object {
  const flags = { force_listen: event.forceListen, max_slice_nums: wireSlices(event.maxSlices) };
  const input = {
    audio: encodePcm(event.audio, base64),
    video_frames: event.frames?.map((frame) => base64.encode(frame)),
    ...(event.flagsIn === 'hints' ? { hints: unlessEmpty(flags) } : flags),
    input_id: event.inputId,
  };
  return { type: 'input.append', input };
}

/** The API documents require a prompt; this is their own example. */
const defaultInstructions = 'You are a helpful assistant.';

/** The tag and the length of a WAV chunk. A RIFF length does not count the first 8 bytes. */
const chunkHeaderBytes = 8;
const riffHeaderBytes = 8;

function encodeLegacyClientEvent(event: ClientEvent, base64: Base64): object {
  switch (event.kind) {
    case 'configure':
      return encodeUpdate(event, base64);
    case 'append':
      return encodeLegacyAppend(event, base64);
    case 'chat':
      throw new Error('The legacy dialect has no chat.');
    case 'toolResult':
      throw new Error('The legacy dialect has no tools.');
    case 'close':
      return { type: 'session.close', reason: event.reason };
  }
}

function encodeUpdate({ settings, voiceForm }: ConfigureEvent, base64: Base64): object {
  const { instructions, voice, maxSlices } = settings;
  const encodeVoice = voiceForm === 'float32' ? encodePcm : encodeWavVoice;
  const session = {
    instructions: instructions ?? defaultInstructions,
    max_slice_nums: wireSlices(maxSlices),
    ref_audio: voice?.model && encodeVoice(voice.model, base64),
    tts_ref_audio: voice?.speech && encodeVoice(voice.speech, base64),
  };
  return { type: 'session.update', session };
}

/** Appends a WAV chunk of zeros that makes the file a whole number of samples, for servers that read it as raw samples. */
function encodeWavVoice(voice: Float32Array, base64: Base64): string {
  const wav = encodeWav(voice, { rate: inputRate, channels: 1, coding: 'float32' });
  const padding = 4 - ((wav.length + chunkHeaderBytes) % 4);
  const file = new Uint8Array(wav.length + chunkHeaderBytes + padding);
  file.set(wav);
  file.set([0x6a, 0x75, 0x6e, 0x6b, padding], wav.length);
  new DataView(file.buffer).setUint32(4, file.length - riffHeaderBytes, true);
  return base64.encode(file);
}

/** Omits the append’s id, because the legacy dialect has no field for it. */
function encodeLegacyAppend(event: AppendEvent, base64: Base64): object {
  return {
    type: 'input_audio_buffer.append',
    audio: encodePcm(event.audio, base64),
    video_frames: event.frames?.map((frame) => base64.encode(frame)),
    force_listen: event.forceListen,
    max_slice_nums: wireSlices(event.maxSlices),
  };
}

export function encodeChat(turn: ChatTurnEvent, base64: Base64): object {
  return { type: 'input.append', input: encodeChatInput(turn, base64) };
}

function encodeChatInput(turn: ChatTurnEvent, base64: Base64): object {
  const maxSlices = wireSlices(turn.maxSlices);
  const speech = turn.speech && {
    enabled: turn.speech.enabled,
    ref_audio_data: turn.speech.voice && encodePcm(turn.speech.voice, base64),
  };
  return {
    messages: turn.messages.map((message) => encodeMessage(message, base64)),
    streaming: turn.streaming,
    generation: unlessEmpty({
      max_new_tokens: finiteOrMissing(turn.maxNewTokens),
      length_penalty: finiteOrMissing(turn.lengthPenalty),
    }),
    image: maxSlices === undefined ? undefined : { max_slice_nums: maxSlices },
    omni_mode: turn.omni,
    tts: speech,
    use_tts_template: turn.useTtsTemplate,
    enable_thinking: turn.thinking,
    input_id: turn.inputId,
  };
}

function encodeMessage({ role, content }: ChatMessage, base64: Base64): object {
  if (typeof content === 'string') return { role, content };
  return { role, content: content.map((part) => encodePart(part, base64)) };
}

function encodePart(part: ContentPart, base64: Base64): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return { type: 'image', data: base64.encode(part.image) };
    case 'audio':
      return { type: 'audio', data: encodePcm(part.audio, base64) };
    case 'video':
      return part.raw;
  }
}

/** Encodes a question for the older path: an append's `input` without type or id. */
export function encodeOlderChatRequest(question: ChatQuestion, base64: Base64): string {
  return JSON.stringify(encodeChatInput({ kind: 'chat', ...question }, base64));
}

/** JSON cannot represent NaN and infinities. */
function finiteOrMissing(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** Servers accept integers from 1 to 9. */
function wireSlices(value: number | undefined): number | undefined {
  if (finiteOrMissing(value) === undefined || value === undefined) return undefined;
  return Math.min(maxSlicesPerFrame, Math.max(1, Math.round(value)));
}

/** Returns undefined if no field has a value. */
function unlessEmpty(fields: object): object | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}
