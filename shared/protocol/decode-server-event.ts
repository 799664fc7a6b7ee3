import { type Base64, type DecodedPcm, parseFrame } from './base64-media.ts';
import { announcesTools, toolCallDecoders } from './duplex-tools.ts';
import { isJsonObject, isSimpleJson, type JsonObject, type JsonValue } from './json.ts';
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
  AdmittedEvent,
  ClosedEvent,
  CreatedEvent,
  Metrics,
  OutputEvent,
  QueuedEvent,
  ServerErrorEvent,
  ServerEvent,
} from './realtime-api.ts';

type Decoder = (frame: JsonObject, base64: Base64) => ServerEvent;

/** Each event name has one meaning in both dialects, so one table decodes both. */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['session.queued', (frame) => decodeQueued(frame, 'joined')],
  ['session.queue_update', (frame) => decodeQueued(frame, 'moved')],
  ['session.queue_done', decodeAdmitted],
  ['session.created', decodeCreated],
  ['session.closed', decodeClosed],
  ['error', decodeServerError],
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

function decodeAdmitted(frame: JsonObject): AdmittedEvent {
  return { kind: 'admitted', takesTools: announcesTools(frame), ...readCommonFields(frame) };
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
