import type { Base64 } from './base64-media.ts';
import type { JsonObject } from './json.ts';
import {
  commonFieldsOf,
  isMissing,
  malformedEvent,
  nameIn,
  numberIn,
  soundPayload,
  textPayload,
  typeInWords,
} from './server-event-fields.ts';
import type { CreatedEvent, Metrics, ServerEvent } from './server-event.ts';

/** `response.output.delta`: one frame is one of listening, text or sound. */
export function decodeDelta(frame: JsonObject, base64: Base64): ServerEvent {
  const kind = frame['kind'];
  if (kind === 'listen') {
    return { kind: 'listen', wire: 'unified', ...commonFieldsOf(frame, ['kind']) };
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
  const commonFields = commonFieldsOf(frame, ['kind', 'text', 'delta']);
  return { kind: 'output', wire: 'unified', text: text.value, ...commonFields };
}

function decodeAudio(frame: JsonObject, base64: Base64): ServerEvent {
  const sound = soundPayload(frame['audio'], base64);
  if (sound.is === 'missing') return malformedEvent(frame, 'it has no audio');
  if (sound.is === 'broken') return malformedEvent(frame, sound.problem);
  const commonFields = commonFieldsOf(frame, ['kind', 'audio']);
  return { kind: 'output', wire: 'unified', ...sound.value, ...commonFields };
}

/** `response.done`. Its text may be left out where all of it was streamed before. */
export function decodeDone(frame: JsonObject, base64: Base64): ServerEvent {
  const text = textPayload(frame, ['text', 'full_text']);
  if (text.is === 'broken') return malformedEvent(frame, text.problem);
  const sound = soundPayload(frame['audio'], base64);
  if (sound.is === 'broken') return malformedEvent(frame, sound.problem);
  return {
    kind: 'done',
    text: text.is === 'good' ? text.value : '',
    reason: nameIn(frame, 'reason'),
    ...(sound.is === 'good' && sound.value.audio.length > 0 ? sound.value : {}),
    ...commonFieldsOf(frame, ['text', 'full_text', 'reason', 'audio']),
  };
}

/** `response.listen`. */
export function decodeListen(frame: JsonObject): ServerEvent {
  return { kind: 'listen', wire: 'legacy', ...commonFieldsOf(frame, []) };
}

/** `response.output_audio.delta`: text and sound in one; an empty one of the two is none. */
export function decodeAudioDelta(frame: JsonObject, base64: Base64): ServerEvent {
  const text = textPayload(frame, ['text']);
  if (text.is === 'broken') return malformedEvent(frame, text.problem);
  const sound = soundPayload(frame['audio'], base64);
  if (sound.is === 'broken') return malformedEvent(frame, sound.problem);
  const end = frame['end_of_turn'];
  if (!isMissing(end) && typeof end !== 'boolean') {
    return malformedEvent(frame, `its end_of_turn is ${typeInWords(end)}`);
  }
  if (text.is === 'missing' && sound.is === 'missing' && end !== true) {
    return malformedEvent(frame, 'it has neither text nor audio');
  }
  return {
    kind: 'output',
    wire: 'legacy',
    ...(text.is === 'good' && text.value !== '' ? { text: text.value } : {}),
    ...(sound.is === 'good' && sound.value.audio.length > 0 ? sound.value : {}),
    endOfTurn: end ?? undefined,
    ...commonFieldsOf(frame, ['text', 'audio', 'end_of_turn']),
  };
}

/** `prefill_done`: the worker has read the question, as elsewhere a session has its prompt. */
export function decodePrefill(frame: JsonObject): CreatedEvent {
  const common = commonFieldsOf(frame, ['input_tokens']);
  return { kind: 'created', promptLength: numberIn(frame, 'input_tokens'), ...common };
}

/** `chunk`: text, sound or both. */
export function decodeChunk(frame: JsonObject, base64: Base64): ServerEvent {
  const text = textPayload(frame, ['text_delta']);
  if (text.is === 'broken') return malformedEvent(frame, text.problem);
  const sound = soundPayload(frame['audio_data'], base64);
  if (sound.is === 'broken') return malformedEvent(frame, sound.problem);
  return {
    kind: 'output',
    wire: 'legacy',
    ...(text.is === 'good' && text.value !== '' ? { text: text.value } : {}),
    ...(sound.is === 'good' && sound.value.audio.length > 0 ? sound.value : {}),
    ...commonFieldsOf(frame, ['text_delta', 'audio_data']),
  };
}

/** `done`: the whole text, and the sound where none was streamed. */
export function decodeOlderDone(frame: JsonObject, base64: Base64): ServerEvent {
  const text = textPayload(frame, ['text']);
  if (text.is === 'broken') return malformedEvent(frame, text.problem);
  const sound = soundPayload(frame['audio_data'], base64);
  if (sound.is === 'broken') return malformedEvent(frame, sound.problem);
  const common = commonFieldsOf(frame, ['text', 'audio_data', 'generated_tokens', 'input_tokens']);
  return {
    kind: 'done',
    text: text.is === 'good' ? text.value : '',
    ...(sound.is === 'good' && sound.value.audio.length > 0 ? sound.value : {}),
    ...common,
    metrics: common.metrics ?? tokensOf(frame),
  };
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
