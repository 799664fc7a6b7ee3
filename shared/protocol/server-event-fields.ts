import { sanitizeLine, stripControlCharacters } from '../text.ts';
import { type Base64, type DecodedPcm, decodePcm } from './base64-media.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import type { CommonFields, MalformedEvent, Metrics } from './realtime-api.ts';
import { usedContextTokens, toTokenCount, decodeUsage } from './token-usage.ts';

/** Reads the fields that every event may have; unknown fields are ignored. */
export function readCommonFields(frame: JsonObject): CommonFields {
  return {
    sessionId: nameIn(frame, 'session_id'),
    responseId: nameIn(frame, 'response_id'),
    inputId: nameIn(frame, 'input_id'),
    serverTime: readServerTime(frame),
    metrics: readMetrics(frame),
  };
}

/** Unix seconds on the wire; rounded to microseconds, the precision of such floats. */
function readServerTime(frame: JsonObject): number | undefined {
  const seconds = numberIn(frame, 'server_send_ts');
  if (seconds === undefined) return undefined;
  const milliseconds = Math.round(seconds * 1e6) / 1e3;
  return Number.isFinite(milliseconds) ? milliseconds : undefined;
}

/** Limit on the numbers in one event; servers send a dozen. */
const maxMetrics = 100;

function readMetrics(frame: JsonObject): Metrics | undefined {
  const sent = frame['metrics'];
  const entries = Object.entries(isJsonObject(sent) ? sent : {});
  const topLevelLength = numberIn(frame, 'kv_cache_length');
  if (topLevelLength !== undefined) entries.push(['kv_cache_length', topLevelLength]);
  const values = Object.fromEntries(entries.filter(isFiniteNumber).slice(-maxMetrics));
  const usage = decodeUsage(frame['usage']);
  const stepUsage = decodeUsage(frame['chunk_usage']);
  const isEmpty = usage === undefined && stepUsage === undefined;
  if (isEmpty && Object.keys(values).length === 0) return undefined;
  const stepIndex = toTokenCount(frame['chunk_index']);
  const reported = values['kv_cache_length'];
  // A server that does not count its context sends 0 or omits the field.
  const contextTokens =
    reported !== undefined && reported > 0 ? reported : (usedContextTokens(usage) ?? reported);
  return { contextTokens, values, usage, stepUsage, stepIndex };
}

function isFiniteNumber(entry: readonly [string, JsonValue]): entry is [string, number] {
  return Number.isFinite(entry[1]);
}

export type Payload<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Reads the text from the first field with a value. */
export function textPayload(frame: JsonObject, names: readonly string[]): Payload<string> {
  const value = names.map((name) => frame[name]).find((found) => !isMissing(found));
  if (isMissing(value)) return { kind: 'missing' };
  if (typeof value === 'string') return { kind: 'valid', value };
  return { kind: 'invalid', problem: `its text is ${typeInWords(value)}` };
}

export function soundPayload(value: JsonValue | undefined, base64: Base64): Payload<DecodedPcm> {
  if (isMissing(value)) return { kind: 'missing' };
  if (typeof value !== 'string') {
    return { kind: 'invalid', problem: `its audio is ${typeInWords(value)} and not base64` };
  }
  const bytes = base64.decode(value);
  if (bytes === undefined) return { kind: 'invalid', problem: 'its audio is not valid base64' };
  const sound = decodePcm(bytes);
  if (sound !== undefined) return { kind: 'valid', value: sound };
  const size = String(bytes.length);
  return {
    kind: 'invalid',
    problem: `its audio has ${size} bytes, which is not a whole number of samples`,
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

/** Reads an optional field; other types count as missing. */
function textIn(frame: JsonObject, key: string): string | undefined {
  const value = frame[key];
  return typeof value === 'string' ? value : undefined;
}

/** Characters of an id, code or name. */
const maxNameLength = 200;
/** Characters of a message. Some servers send a whole stack trace. */
const maxMessageLength = 2000;

/** Reads a server's id, code or name, without control characters and truncated. */
export function nameIn(frame: JsonObject, key: string): string | undefined {
  const text = textIn(frame, key);
  return text === undefined ? undefined : sanitizeLine(text, maxNameLength);
}

/** Reads a server's message, which may have several lines. */
export function messageIn(frame: JsonObject, key: string): string | undefined {
  const text = textIn(frame, key);
  return text === undefined ? undefined : stripControlCharacters(text.slice(0, maxMessageLength));
}

export function numberIn(frame: JsonObject, key: string): number | undefined {
  const value = frame[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Many servers send null for an empty field. */
export function isMissing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** For sentences: "is a number", "is missing". */
export function typeInWords(value: JsonValue | undefined): string {
  if (isMissing(value)) return 'missing';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'a number';
  if (typeof value === 'boolean') return 'true or false';
  return isJsonObject(value) ? 'an object' : 'a list';
}
