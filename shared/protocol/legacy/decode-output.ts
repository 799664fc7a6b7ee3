import type { Base64 } from '../base64.ts';
import { typeInWords, isMissing } from '../decode/fields.ts';
import { malformed, soundMatter, textMatter } from '../decode/matter.ts';
import { particularsOf } from '../decode/particulars.ts';
import type { JsonObject } from '../json.ts';
import type { ServerEvent } from '../server-event.ts';

/** `response.listen`. */
export function decodeListen(frame: JsonObject): ServerEvent {
  return { kind: 'listen', wire: 'legacy', ...particularsOf(frame, []) };
}

/** `response.output_audio.delta`: text and sound in one; an empty one of the two is none. */
export function decodeAudioDelta(frame: JsonObject, base64: Base64): ServerEvent {
  const text = textMatter(frame, ['text']);
  if (text.is === 'broken') return malformed(frame, text.problem);
  const sound = soundMatter(frame['audio'], base64);
  if (sound.is === 'broken') return malformed(frame, sound.problem);
  const end = frame['end_of_turn'];
  if (!isMissing(end) && typeof end !== 'boolean') {
    return malformed(frame, `its end_of_turn is ${typeInWords(end)}`);
  }
  if (text.is === 'missing' && sound.is === 'missing' && end !== true) {
    return malformed(frame, 'it has neither text nor audio');
  }
  return {
    kind: 'output',
    wire: 'legacy',
    ...(text.is === 'good' && text.value !== '' ? { text: text.value } : {}),
    ...(sound.is === 'good' && sound.value.audio.length > 0 ? sound.value : {}),
    endOfTurn: end ?? undefined,
    ...particularsOf(frame, ['text', 'audio', 'end_of_turn']),
  };
}
