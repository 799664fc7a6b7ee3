import type { Base64 } from '../base64.ts';
import { commonFieldsOf } from '../decode/common-fields.ts';
import { numberIn } from '../decode/json-fields.ts';
import { malformedEvent, soundPayload, textPayload } from '../decode/payload.ts';
import type { JsonObject } from '../json.ts';
import type { CreatedEvent, Metrics, ServerEvent } from '../server-event.ts';

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
