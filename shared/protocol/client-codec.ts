import { encodeWav } from '../audio/encode-wav.ts';
import {
  type Base64,
  type DecodedPcm,
  encodePcm,
  parseFrame,
  stringifyWithBytes,
} from './base64-media.ts';
import {
  type AppendEvent,
  type ChatMessage,
  type ChatTurnEvent,
  type ClientEvent,
  type ConfigureEvent,
  type ContentPart,
  encodeGeneration,
} from './client-event.ts';
import { isJsonObject, isSimpleJson, type JsonObject, type JsonValue } from './json.ts';
import { type DialectName, inputRate, maxSlicesPerFrame } from './realtime-api.ts';
import {
  commonFieldsOf,
  isMissing,
  malformedEvent,
  nameIn,
  numberIn,
  remarkIn,
  soundPayload,
  textPayload,
  typeInWords,
} from './server-event-fields.ts';
import type {
  ClosedEvent,
  CreatedEvent,
  Metrics,
  OutputEvent,
  QueuedEvent,
  ServerErrorEvent,
  ServerEvent,
} from './server-event.ts';

/** The client's side of the wire. What servers say is told apart by itself, so reading needs no dialect. */
export interface ClientCodec {
  /** Throws only for what the dialect cannot say at all: a chat turn in legacy. */
  readonly encodeClientEvent: (ask: ClientEvent, dialect: DialectName) => string;
  /** Never throws, whatever the text is. */
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

/** The events about the session itself; both dialects have them. */
const lifecycleEventDecoders: ReadonlyMap<string, (frame: JsonObject) => ServerEvent> = new Map<
  string,
  (frame: JsonObject) => ServerEvent
>([
  ['session.queued', (frame) => queued(frame, 'joined')],
  ['session.queue_update', (frame) => queued(frame, 'moved')],
  ['session.queue_done', (frame) => ({ kind: 'admitted', ...commonFieldsOf(frame) })],
  ['session.created', created],
  ['session.closed', closed],
  ['error', serverError],
]);

function queued(frame: JsonObject, stage: QueuedEvent['stage']): QueuedEvent {
  return {
    kind: 'queued',
    stage,
    position: numberIn(frame, 'position'),
    length: numberIn(frame, 'queue_length'),
    etaSeconds: numberIn(frame, 'estimated_wait_s'),
    ticket: nameIn(frame, 'ticket_id'),
    ...commonFieldsOf(frame),
  };
}

function created(frame: JsonObject): CreatedEvent {
  return {
    kind: 'created',
    runtimeMode: nameIn(frame, 'mode'),
    promptLength: numberIn(frame, 'prompt_length'),
    ...commonFieldsOf(frame),
  };
}

function closed(frame: JsonObject): ClosedEvent {
  const diagnostic = frame['diagnostic'];
  const message = isJsonObject(diagnostic)
    ? remarkIn(diagnostic, 'message')
    : remarkIn(frame, 'diagnostic');
  return {
    kind: 'closed',
    reason: nameIn(frame, 'reason') ?? 'unspecified',
    diagnostic: message,
    ...commonFieldsOf(frame),
  };
}

/** Whatever shape it comes in, an error is an error, and never without words. */
function serverError(frame: JsonObject): ServerErrorEvent {
  const detail = frame['error'];
  const source = isJsonObject(detail) ? detail : frame;
  const words = remarkIn(source, 'message') ?? remarkIn(frame, 'error') ?? '';
  return {
    kind: 'error',
    code: nameIn(source, 'code') ?? 'unspecified',
    message: words === '' ? 'The server reported an error without saying which.' : words,
    type: isJsonObject(detail) ? nameIn(detail, 'type') : undefined,
    ...commonFieldsOf(frame),
  };
}

type Decoder = (frame: JsonObject, base64: Base64) => ServerEvent;

/** No name means two things, so both dialects are understood without being told which it is. */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ...lifecycleEventDecoders,
  ['response.output.delta', decodeDelta],
  ['response.done', decodeDone],
  ['response.output_audio.delta', decodeAudioDelta],
  ['response.listen', decodeListen],
  // Of the older generation's own path for written conversations.
  ['prefill_done', decodePrefill],
  ['chunk', decodeChunk],
  ['done', decodeOlderDone],
]);

export function decodeServerEvent(text: string, base64: Base64): ServerEvent {
  if (!isSimpleJson(text)) {
    return { kind: 'malformed', problem: 'The server sent more JSON than any event has.' };
  }
  const frame = parseFrame(text);
  if (frame === undefined) {
    return { kind: 'malformed', problem: 'The server sent something that is not a JSON object.' };
  }
  const type = frame['type'];
  if (typeof type !== 'string') {
    const problem = `The server sent an event whose type is ${typeInWords(type)}.`;
    return { kind: 'malformed', problem };
  }
  return (
    decoders.get(type)?.(frame, base64) ?? {
      kind: 'unknown',
      type: nameIn(frame, 'type') ?? '',
      raw: frame,
    }
  );
}

/** `response.output.delta`: one frame is one of listening, text or sound. */
function decodeDelta(frame: JsonObject, base64: Base64): ServerEvent {
  const kind = frame['kind'];
  if (kind === 'listen') {
    return { kind: 'listen', wire: 'unified', ...commonFieldsOf(frame) };
  }
  if (kind === 'text') return decodeText(frame);
  if (kind === 'audio') return decodeAudio(frame, base64);
  if (typeof kind === 'string')
    return { kind: 'unknown', type: 'response.output.delta', raw: frame };
  return malformedEvent(frame, `its kind is ${typeInWords(kind)}`);
}

function decodeText(frame: JsonObject): ServerEvent {
  const text = textPayload(frame, ['text', 'delta']);
  if (text.is === 'missing') return malformedEvent(frame, 'it has no text');
  if (text.is === 'broken') return malformedEvent(frame, text.problem);
  const commonFields = commonFieldsOf(frame);
  return { kind: 'output', wire: 'unified', text: text.value, ...commonFields };
}

function decodeAudio(frame: JsonObject, base64: Base64): ServerEvent {
  const sound = soundPayload(frame['audio'], base64);
  if (sound.is === 'missing') return malformedEvent(frame, 'it has no audio');
  if (sound.is === 'broken') return malformedEvent(frame, sound.problem);
  const commonFields = commonFieldsOf(frame);
  return { kind: 'output', wire: 'unified', ...sound.value, ...commonFields };
}

/** Both of an event that may have either; an empty one of the two is none. */
type TextAndSound =
  | { readonly problem: string }
  | { readonly text: string | undefined; readonly sound: Partial<DecodedPcm> };

function textAndSoundOf(
  frame: JsonObject,
  textNames: readonly string[],
  sound: JsonValue | undefined,
  base64: Base64,
): TextAndSound {
  const text = textPayload(frame, textNames);
  if (text.is === 'broken') return text;
  const heard = soundPayload(sound, base64);
  if (heard.is === 'broken') return heard;
  return {
    text: text.is === 'good' && text.value !== '' ? text.value : undefined,
    sound: heard.is === 'good' && heard.value.audio.length > 0 ? heard.value : {},
  };
}

/** `response.done`. Its text may be left out where all of it was streamed before. */
function decodeDone(frame: JsonObject, base64: Base64): ServerEvent {
  const read = textAndSoundOf(frame, ['text', 'full_text'], frame['audio'], base64);
  if ('problem' in read) return malformedEvent(frame, read.problem);
  const { text = '', sound } = read;
  const reason = nameIn(frame, 'reason');
  return { kind: 'done', text, reason, ...sound, ...commonFieldsOf(frame) };
}

/** `response.listen`. */
function decodeListen(frame: JsonObject): ServerEvent {
  return { kind: 'listen', wire: 'legacy', ...commonFieldsOf(frame) };
}

/** `response.output_audio.delta`: text and sound in one. */
function decodeAudioDelta(frame: JsonObject, base64: Base64): ServerEvent {
  const read = textAndSoundOf(frame, ['text'], frame['audio'], base64);
  if ('problem' in read) return malformedEvent(frame, read.problem);
  const end = frame['end_of_turn'];
  if (!isMissing(end) && typeof end !== 'boolean') {
    return malformedEvent(frame, `its end_of_turn is ${typeInWords(end)}`);
  }
  if (isMissing(frame['text']) && isMissing(frame['audio']) && end !== true) {
    return malformedEvent(frame, 'it has neither text nor audio');
  }
  return { ...output(read), endOfTurn: end ?? undefined, ...commonFieldsOf(frame) };
}

function output({ text, sound }: Exclude<TextAndSound, { problem: string }>): OutputEvent {
  return { kind: 'output', wire: 'legacy', ...(text === undefined ? {} : { text }), ...sound };
}

/** `prefill_done`: the worker has read the question, as elsewhere a session has its prompt. */
function decodePrefill(frame: JsonObject): CreatedEvent {
  const promptLength = numberIn(frame, 'input_tokens');
  return { kind: 'created', promptLength, ...commonFieldsOf(frame) };
}

/** `chunk`: text, sound or both. */
function decodeChunk(frame: JsonObject, base64: Base64): ServerEvent {
  const read = textAndSoundOf(frame, ['text_delta'], frame['audio_data'], base64);
  if ('problem' in read) return malformedEvent(frame, read.problem);
  return { ...output(read), ...commonFieldsOf(frame) };
}

/** `done`: the whole text, and the sound where none was streamed. */
function decodeOlderDone(frame: JsonObject, base64: Base64): ServerEvent {
  const read = textAndSoundOf(frame, ['text'], frame['audio_data'], base64);
  if ('problem' in read) return malformedEvent(frame, read.problem);
  const { text = '', sound } = read;
  const common = commonFieldsOf(frame);
  return { kind: 'done', text, ...sound, ...common, metrics: common.metrics ?? tokensOf(frame) };
}

/** They stand beside the answer, and not among metrics; both together are in the model's context. */
function tokensOf(frame: JsonObject): Metrics | undefined {
  const made = numberIn(frame, 'generated_tokens');
  const read = numberIn(frame, 'input_tokens');
  if (made === undefined) return undefined;
  return {
    contextTokens: read === undefined ? undefined : read + made,
    figures: { generated_tokens: made, ...(read === undefined ? {} : { input_tokens: read }) },
  };
}

/** The frame for an ask; fields that are undefined are left out by JSON itself. */
function encodeUnifiedClientEvent(event: ClientEvent, base64: Base64): object {
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
function encodeLegacyClientEvent(event: ClientEvent, base64: Base64): object {
  switch (event.kind) {
    case 'configure':
      return encodeUpdate(event, base64);
    case 'append':
      return encodeLegacyAppend(event, base64);
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
function encodeLegacyAppend(event: AppendEvent, base64: Base64): object {
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
