import { encodeWav } from '../audio/encode-wav.ts';
import { type Base64, encodePcm } from './base64-media.ts';
import {
  type AppendEvent,
  type ChatMessage,
  type ChatTurnEvent,
  type ClientEvent,
  type ConfigureEvent,
  type ContentPart,
  encodeGeneration,
} from './client-event.ts';
import { inputRate, maxSlicesPerFrame } from './realtime-api.ts';

/** The frame for an ask; fields that are undefined are left out by JSON itself. */
export function encodeUnifiedClientEvent(event: ClientEvent, base64: Base64): object {
  switch (event.kind) {
    case 'configure':
      return encodeInit(event, base64);
    case 'append':
      return encodeAppend(event, base64);
    case 'chat':
      return encodeChat(event, base64);
    case 'close':
      return { type: 'session.close', reason: event.reason };
  }
}

function encodeInit({ settings }: ConfigureEvent, base64: Base64): object {
  const { instructions, generation, voice } = settings;
  const payload = {
    system_prompt: instructions,
    config: generation && unlessEmpty(encodeGeneration(generation)),
    voice: unlessEmpty({
      ref_audio_base64: voice?.model && encodePcm(voice.model, base64),
      tts_ref_audio_base64: voice?.speech && encodePcm(voice.speech, base64),
    }),
  };
  return { type: 'session.init', payload };
}

function encodeAppend(event: AppendEvent, base64: Base64): object {
  const flags = { force_listen: event.forceListen, max_slice_nums: wireSlices(event.maxSlices) };
  const input = {
    audio: encodePcm(event.audio, base64),
    video_frames: event.frames?.map((frame) => base64.encode(frame)),
    ...(event.flagsIn === 'hints' ? { hints: unlessEmpty(flags) } : flags),
    input_id: event.inputId,
  };
  return { type: 'input.append', input };
}

/** The documents require a prompt; this is what they themselves use where it does not matter. */
const plainInstructions = 'You are a helpful assistant.';

/** A chunk's name and its length; so many bytes of the file are not counted in its own. */
const chunkHead = 8;
const riffHead = 8;

/** The frame for an ask; fields that are undefined are left out by JSON itself. */
export function encodeLegacyClientEvent(event: ClientEvent, base64: Base64): object {
  switch (event.kind) {
    case 'configure':
      return encodeUpdate(event, base64);
    case 'append':
      return encodeLegacyClientEventEncodeAppend(event, base64);
    case 'chat':
      throw new Error('The legacy dialect has no chat.');
    case 'close':
      return { type: 'session.close', reason: event.reason };
  }
}

function encodeUpdate({ settings, voiceForm }: ConfigureEvent, base64: Base64): object {
  const { instructions, voice, maxSlices } = settings;
  const encodeVoice = voiceForm === 'float32' ? encodePcm : encodeWavVoice;
  const session = {
    instructions: instructions ?? plainInstructions,
    max_slice_nums: wireSlices(maxSlices),
    ref_audio: voice?.model && encodeVoice(voice.model, base64),
    tts_ref_audio: voice?.speech && encodeVoice(voice.speech, base64),
  };
  return { type: 'session.update', session };
}

/** Ends in a chunk without meaning, so that its length is one of whole samples: a server that takes it for bare samples goes on. */
function encodeWavVoice(voice: Float32Array, base64: Base64): string {
  const wav = encodeWav(voice, { rate: inputRate, channels: 1, coding: 'float32' });
  const padding = 4 - ((wav.length + chunkHead) % 4);
  const file = new Uint8Array(wav.length + chunkHead + padding);
  file.set(wav);
  file.set([0x6a, 0x75, 0x6e, 0x6b, padding], wav.length);
  new DataView(file.buffer).setUint32(4, file.length - riffHead, true);
  return base64.encode(file);
}

/** Without our id: this dialect has no place for one. */
function encodeLegacyClientEventEncodeAppend(event: AppendEvent, base64: Base64): object {
  return {
    type: 'input_audio_buffer.append',
    audio: encodePcm(event.audio, base64),
    video_frames: event.frames?.map((frame) => base64.encode(frame)),
    force_listen: event.forceListen,
    max_slice_nums: wireSlices(event.maxSlices),
  };
}

function encodeChat(turn: ChatTurnEvent, base64: Base64): object {
  return { type: 'input.append', input: encodeChatInput(turn, base64) };
}

/** A turn by itself, as it stands in an append. */
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
  }
}

/**
 * A question as the older generation's own path for written conversations takes it: what stands in an append's
 * `input` elsewhere, alone and without a type. An id of ours has no place there.
 */
export function encodeOlderChatRequest(
  turn: Omit<ChatTurnEvent, 'kind' | 'inputId'>,
  base64: Base64,
): string {
  return JSON.stringify(encodeChatInput({ kind: 'chat', ...turn }, base64));
}

/** A number fit for JSON, which has no word for what is not finite. */
function finiteOrMissing(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** Slices as servers take them: whole, from 1 to 9. */
function wireSlices(value: number | undefined): number | undefined {
  if (finiteOrMissing(value) === undefined || value === undefined) return undefined;
  return Math.min(maxSlicesPerFrame, Math.max(1, Math.round(value)));
}

/** The fields that have a value, or nothing at all where none has. */
function unlessEmpty(fields: object): object | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}
