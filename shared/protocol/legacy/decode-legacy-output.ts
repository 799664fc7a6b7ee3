import type { Base64 } from '../base64.ts';
import { typeInWords, isMissing } from '../decode/json-fields.ts';
import { malformedEvent, soundPayload, textPayload } from '../decode/payload.ts';
import { commonFieldsOf } from '../decode/common-fields.ts';
import type { JsonObject } from '../json.ts';
import type { ServerEvent } from '../server-event.ts';

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
