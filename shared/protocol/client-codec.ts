import { encodeWav } from '../audio/wav.ts';
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
import { announcesTools, encodeToolResult, toolCallDecoders } from './duplex-tools.ts';
import { isJsonObject, isSimpleJson, type JsonObject, type JsonValue } from './json.ts';
import { type DialectName, inputRate, maxSlicesPerFrame } from './realtime-api.ts';
import {
  readCommonFields,
  isMissing,
  malformedEvent,
  nameIn,
  numberIn,
  messageIn,
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

/** The client's side of the wire. Event names identify the dialect, so decoding needs none. */
export interface ClientCodec {
  /** Throws only for an event that the dialect lacks: a chat turn in legacy. */
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

const lifecycleEventDecoders: ReadonlyMap<string, (frame: JsonObject) => ServerEvent> = new Map<
  string,
  (frame: JsonObject) => ServerEvent
>([
  ['session.queued', (frame) => decodeQueued(frame, 'joined')],
  ['session.queue_update', (frame) => decodeQueued(frame, 'moved')],
  [
    'session.queue_done',
    (frame) => ({
      kind: 'admitted',
      takesTools: announcesTools(frame),
      ...readCommonFields(frame),
    }),
  ],
  ['session.created', decodeCreated],
  ['session.closed', decodeClosed],
  ['error', decodeServerError],
]);

function decodeQueued(frame: JsonObject, stage: QueuedEvent['stage']): QueuedEvent {
  return {
    kind: 'queued',
    stage,
    position: numberIn(frame, 'position'),
    length: numberIn(frame, 'queue_length'),
    etaSeconds: numberIn(frame, 'estimated_wait_s'),
    ticket: nameIn(frame, 'ticket_id'),
    ...readCommonFields(frame),
  };
}

function decodeCreated(frame: JsonObject): CreatedEvent {
  return {
    kind: 'created',
    runtimeMode: nameIn(frame, 'mode'),
    promptLength: numberIn(frame, 'prompt_length'),
    takesTools: announcesTools(frame),
    ...readCommonFields(frame),
  };
}

function decodeClosed(frame: JsonObject): ClosedEvent {
  const diagnostic = frame['diagnostic'];
  const message = isJsonObject(diagnostic)
    ? messageIn(diagnostic, 'message')
    : messageIn(frame, 'diagnostic');
  return {
    kind: 'closed',
    reason: nameIn(frame, 'reason') ?? 'unspecified',
    diagnostic: message,
    ...readCommonFields(frame),
  };
}

function decodeServerError(frame: JsonObject): ServerErrorEvent {
  const detail = frame['error'];
  const source = isJsonObject(detail) ? detail : frame;
  const message = messageIn(source, 'message') ?? messageIn(frame, 'error') ?? '';
  return {
    kind: 'error',
    code: nameIn(source, 'code') ?? 'unspecified',
    message: message === '' ? 'The server reported an error without saying which.' : message,
    type: isJsonObject(detail) ? nameIn(detail, 'type') : undefined,
    ...readCommonFields(frame),
  };
}

type Decoder = (frame: JsonObject, base64: Base64) => ServerEvent;

/** No event name is used twice, so both dialects can be decoded together. */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ...lifecycleEventDecoders,
  ['response.output.delta', decodeDelta],
  ['response.done', decodeDone],
  ['response.output_audio.delta', decodeAudioDelta],
  ['response.listen', decodeListen],
  ...toolCallDecoders,
  // The older path for written conversations.
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

/** `response.output.delta`: a listen, text or sound. */
function decodeDelta(frame: JsonObject, base64: Base64): ServerEvent {
  const kind = frame['kind'];
  if (kind === 'listen') {
    return { kind: 'listen', wire: 'unified', ...readCommonFields(frame) };
  }
  if (kind === 'text') return decodeText(frame);
  if (kind === 'audio') return decodeAudio(frame, base64);
  if (typeof kind === 'string')
    return { kind: 'unknown', type: 'response.output.delta', raw: frame };
  return malformedEvent(frame, `its kind is ${typeInWords(kind)}`);
}

function decodeText(frame: JsonObject): ServerEvent {
  const text = textPayload(frame, ['text', 'delta']);
  if (text.kind === 'missing') return malformedEvent(frame, 'it has no text');
  if (text.kind === 'invalid') return malformedEvent(frame, text.problem);
  const commonFields = readCommonFields(frame);
  return { kind: 'output', wire: 'unified', text: text.value, ...commonFields };
}

function decodeAudio(frame: JsonObject, base64: Base64): ServerEvent {
  const sound = soundPayload(frame['audio'], base64);
  if (sound.kind === 'missing') return malformedEvent(frame, 'it has no audio');
  if (sound.kind === 'invalid') return malformedEvent(frame, sound.problem);
  const commonFields = readCommonFields(frame);
  return { kind: 'output', wire: 'unified', ...sound.value, ...commonFields };
}

/** Text and sound of an event that may have either; empty ones are omitted. */
type TextAndSound =
  | { readonly problem: string }
  | { readonly text: string | undefined; readonly sound: Partial<DecodedPcm> };

function readTextAndSound(
  frame: JsonObject,
  textNames: readonly string[],
  sound: JsonValue | undefined,
  base64: Base64,
): TextAndSound {
  const text = textPayload(frame, textNames);
  if (text.kind === 'invalid') return text;
  const decoded = soundPayload(sound, base64);
  if (decoded.kind === 'invalid') return decoded;
  return {
    text: text.kind === 'valid' && text.value !== '' ? text.value : undefined,
    sound: decoded.kind === 'valid' && decoded.value.audio.length > 0 ? decoded.value : {},
  };
}

/** `response.done`. Its text may be missing if all of it was streamed. */
function decodeDone(frame: JsonObject, base64: Base64): ServerEvent {
  const read = readTextAndSound(frame, ['text', 'full_text'], frame['audio'], base64);
  if ('problem' in read) return malformedEvent(frame, read.problem);
  const { text = '', sound } = read;
  const reason = nameIn(frame, 'reason');
  return { kind: 'done', text, reason, ...sound, ...readCommonFields(frame) };
}

function decodeListen(frame: JsonObject): ServerEvent {
  return { kind: 'listen', wire: 'legacy', ...readCommonFields(frame) };
}

function decodeAudioDelta(frame: JsonObject, base64: Base64): ServerEvent {
  const read = readTextAndSound(frame, ['text'], frame['audio'], base64);
  if ('problem' in read) return malformedEvent(frame, read.problem);
  const end = frame['end_of_turn'];
  if (!isMissing(end) && typeof end !== 'boolean') {
    return malformedEvent(frame, `its end_of_turn is ${typeInWords(end)}`);
  }
  if (isMissing(frame['text']) && isMissing(frame['audio']) && end !== true) {
    return malformedEvent(frame, 'it has neither text nor audio');
  }
  return { ...outputEvent(read), endOfTurn: end ?? undefined, ...readCommonFields(frame) };
}

function outputEvent({ text, sound }: Exclude<TextAndSound, { problem: string }>): OutputEvent {
  return { kind: 'output', wire: 'legacy', ...(text === undefined ? {} : { text }), ...sound };
}

/** `prefill_done`: the worker has read the question, so it counts as created. */
function decodePrefill(frame: JsonObject): CreatedEvent {
  const promptLength = numberIn(frame, 'input_tokens');
  return { kind: 'created', promptLength, ...readCommonFields(frame) };
}

function decodeChunk(frame: JsonObject, base64: Base64): ServerEvent {
  const read = readTextAndSound(frame, ['text_delta'], frame['audio_data'], base64);
  if ('problem' in read) return malformedEvent(frame, read.problem);
  return { ...outputEvent(read), ...readCommonFields(frame) };
}

/** `done`: the whole text, and the sound if none was streamed. */
function decodeOlderDone(frame: JsonObject, base64: Base64): ServerEvent {
  const read = readTextAndSound(frame, ['text'], frame['audio_data'], base64);
  if ('problem' in read) return malformedEvent(frame, read.problem);
  const { text = '', sound } = read;
  const common = readCommonFields(frame);
  return {
    kind: 'done',
    text,
    ...sound,
    ...common,
    metrics: common.metrics ?? decodeTokens(frame),
  };
}

/** The older path sends token counts beside the answer; their sum is in the model's context. */
function decodeTokens(frame: JsonObject): Metrics | undefined {
  const generated = numberIn(frame, 'generated_tokens');
  const input = numberIn(frame, 'input_tokens');
  if (generated === undefined) return undefined;
  return {
    contextTokens: input === undefined ? undefined : input + generated,
    values: {
      generated_tokens: generated,
      ...(input === undefined ? {} : { input_tokens: input }),
    },
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

/** The documents require a prompt; this is their own example. */
const defaultInstructions = 'You are a helpful assistant.';

/** A chunk's tag and length; a RIFF length does not count the first 8 bytes. */
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

/** Appends an empty chunk that makes the file a whole number of samples, for servers that read it as raw samples. */
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
export function encodeOlderChatRequest(
  turn: Omit<ChatTurnEvent, 'kind' | 'inputId'>,
  base64: Base64,
): string {
  return JSON.stringify(encodeChatInput({ kind: 'chat', ...turn }, base64));
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
