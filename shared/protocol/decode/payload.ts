import type { Base64 } from '../base64.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { decodePcm } from '../pcm.ts';
import type { DecodedPcm } from '../pcm.ts';
import type { MalformedEvent } from '../server-event.ts';
import { typeInWords, isMissing, nameIn } from './json-fields.ts';

/** The matter of an event was found and is good, is not there, or cannot be used. */
export type Payload<Value> =
  | { readonly is: 'good'; readonly value: Value }
  | { readonly is: 'missing' }
  | { readonly is: 'broken'; readonly problem: string };

/** Text under the first of the names that has anything. */
export function textPayload(frame: JsonObject, names: readonly string[]): Payload<string> {
  const value = names.map((name) => frame[name]).find((found) => !isMissing(found));
  if (isMissing(value)) return { is: 'missing' };
  if (typeof value === 'string') return { is: 'good', value };
  return { is: 'broken', problem: `its text is ${typeInWords(value)}` };
}

export function soundPayload(value: JsonValue | undefined, base64: Base64): Payload<DecodedPcm> {
  if (isMissing(value)) return { is: 'missing' };
  if (typeof value !== 'string') {
    return { is: 'broken', problem: `its audio is ${typeInWords(value)} and not base64` };
  }
  const bytes = base64.decode(value);
  if (bytes === undefined) return { is: 'broken', problem: 'its audio is not valid base64' };
  const sound = decodePcm(bytes);
  if (sound !== undefined) return { is: 'good', value: sound };
  const size = String(bytes.length);
  return {
    is: 'broken',
    problem: `its audio has ${size} bytes, which is no whole number of samples`,
  };
}

export function malformedEvent(frame: JsonObject, reason: string): MalformedEvent {
  const type = nameIn(frame, 'type');
  return {
    kind: 'malformed',
    problem: `The server's ${type ?? 'event'} cannot be used: ${reason}.`,
    type,
  };
}
