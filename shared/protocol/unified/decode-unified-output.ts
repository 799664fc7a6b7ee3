import type { Base64 } from '../base64.ts';
import { nameIn, typeInWords } from '../decode/json-fields.ts';
import { malformedEvent, soundPayload, textPayload } from '../decode/payload.ts';
import { commonFieldsOf } from '../decode/common-fields.ts';
import type { JsonObject } from '../json.ts';
import type { ServerEvent } from '../server-event.ts';

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
