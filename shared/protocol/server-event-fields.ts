import { harmlessLine, harmlessText } from '../harmless-text.ts';
import { type Base64, type DecodedPcm, decodePcm } from './base64-media.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import type { CommonFields, MalformedEvent, Metrics } from './server-event.ts';
import { contextTokensOf, countOf, decodeUsage } from './token-usage.ts';

/** What any event may carry. A field that this version does not know is passed over. */
export function commonFieldsOf(frame: JsonObject): CommonFields {
  return {
    sessionId: nameIn(frame, 'session_id'),
    responseId: nameIn(frame, 'response_id'),
    inputId: nameIn(frame, 'input_id'),
    serverTime: serverTimeOf(frame),
    metrics: metricsOf(frame),
  };
}

/** Unix seconds on the wire; rounded to microseconds, below which floats of this size are noise. */
function serverTimeOf(frame: JsonObject): number | undefined {
  const seconds = numberIn(frame, 'server_send_ts');
  if (seconds === undefined) return undefined;
  const milliseconds = Math.round(seconds * 1e6) / 1e3;
  return Number.isFinite(milliseconds) ? milliseconds : undefined;
}

/** Servers send a dozen. */
const maxFigures = 100;

function metricsOf(frame: JsonObject): Metrics | undefined {
  const sent = frame['metrics'];
  const entries = Object.entries(isJsonObject(sent) ? sent : {});
  const beside = numberIn(frame, 'kv_cache_length');
  if (beside !== undefined) entries.push(['kv_cache_length', beside]);
  const figures = Object.fromEntries(entries.filter(isFigure).slice(-maxFigures));
  const usage = decodeUsage(frame['usage']);
  const stepUsage = decodeUsage(frame['chunk_usage']);
  const isEmpty = usage === undefined && stepUsage === undefined;
  if (isEmpty && Object.keys(figures).length === 0) return undefined;
  const stepIndex = countOf(frame['chunk_index']);
  const told = figures['kv_cache_length'];
  // A server that does not count its context says 0, or nothing.
  const contextTokens = told !== undefined && told > 0 ? told : (contextTokensOf(usage) ?? told);
  return { contextTokens, figures, usage, stepUsage, stepIndex };
}

function isFigure(entry: readonly [string, JsonValue]): entry is [string, number] {
  return Number.isFinite(entry[1]);
}

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

/** Fields that may be missing: what is of another type is taken for missing. */
function textIn(frame: JsonObject, key: string): string | undefined {
  const value = frame[key];
  return typeof value === 'string' ? value : undefined;
}

/** Ids, codes and names are words; what is longer was never one. */
const maxNameLetters = 200;
/** A sentence or two; some servers send a whole stack. */
const maxRemarkLetters = 2000;

/** A name that a server gives something: as it came, or harmless and cut where no name is so. */
export function nameIn(frame: JsonObject, key: string): string | undefined {
  const text = textIn(frame, key);
  return text === undefined ? undefined : harmlessLine(text, maxNameLetters);
}

/** What a server says in its own words, on as many lines as it likes. */
export function remarkIn(frame: JsonObject, key: string): string | undefined {
  const text = textIn(frame, key);
  return text === undefined ? undefined : harmlessText(text.slice(0, maxRemarkLetters));
}

export function numberIn(frame: JsonObject, key: string): number | undefined {
  const value = frame[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Many servers write a field they have nothing for as null. */
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
