import type { Base64 } from '../base64.ts';
import type { JsonObject } from '../json.ts';
import { decodeAudioDelta, decodeListen } from '../legacy/decode-legacy-output.ts';
import { decodeChunk, decodeOlderDone, decodePrefill } from '../legacy/decode-older-chat.ts';
import type { ServerEvent } from '../server-event.ts';
import { decodeDelta, decodeDone } from '../unified/decode-unified-output.ts';
import { isSimpleJson } from './is-simple-json.ts';
import { nameIn, typeInWords } from './json-fields.ts';
import { parseFrame } from './parse-frame.ts';
import { lifecycleEventDecoders } from './lifecycle-event-decoders.ts';

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
