import type { Base64, DecodedPcm } from './base64-media.ts';
import type { JsonObject, JsonValue } from './json.ts';
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
import type { CreatedEvent, Metrics, OutputEvent, ServerEvent } from './server-event.ts';

/** `response.output.delta`: one frame is one of listening, text or sound. */
export function decodeDelta(frame: JsonObject, base64: Base64): ServerEvent {
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
export function decodeDone(frame: JsonObject, base64: Base64): ServerEvent {
  const read = textAndSoundOf(frame, ['text', 'full_text'], frame['audio'], base64);
  if ('problem' in read) return malformedEvent(frame, read.problem);
  const { text = '', sound } = read;
  const reason = nameIn(frame, 'reason');
  return { kind: 'done', text, reason, ...sound, ...commonFieldsOf(frame) };
}

/** `response.listen`. */
export function decodeListen(frame: JsonObject): ServerEvent {
  return { kind: 'listen', wire: 'legacy', ...commonFieldsOf(frame) };
}

/** `response.output_audio.delta`: text and sound in one. */
export function decodeAudioDelta(frame: JsonObject, base64: Base64): ServerEvent {
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
export function decodePrefill(frame: JsonObject): CreatedEvent {
  const promptLength = numberIn(frame, 'input_tokens');
  return { kind: 'created', promptLength, ...commonFieldsOf(frame) };
}

/** `chunk`: text, sound or both. */
export function decodeChunk(frame: JsonObject, base64: Base64): ServerEvent {
  const read = textAndSoundOf(frame, ['text_delta'], frame['audio_data'], base64);
  if ('problem' in read) return malformedEvent(frame, read.problem);
  return { ...output(read), ...commonFieldsOf(frame) };
}

/** `done`: the whole text, and the sound where none was streamed. */
export function decodeOlderDone(frame: JsonObject, base64: Base64): ServerEvent {
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
