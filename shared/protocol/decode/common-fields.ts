import { isJsonObject } from '../json.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { Metrics, CommonFields } from '../server-event.ts';
import { contextTokensOf, countOf, decodeUsage } from '../token-usage.ts';
import { nameIn, numberIn } from './json-fields.ts';

const common = new Set([
  'type',
  'session_id',
  'response_id',
  'input_id',
  'server_send_ts',
  'metrics',
  'kv_cache_length',
  'usage',
  'chunk_usage',
  'chunk_index',
]);

/** What any event may carry; `own` are the fields that the event itself reads. */
export function commonFieldsOf(frame: JsonObject, own: readonly string[]): CommonFields {
  return {
    sessionId: nameIn(frame, 'session_id'),
    responseId: nameIn(frame, 'response_id'),
    inputId: nameIn(frame, 'input_id'),
    serverTime: serverTimeOf(frame),
    metrics: metricsOf(frame),
    extra: extraOf(frame, own),
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

/** Built from entries, because a field may be called `__proto__`. */
function extraOf(frame: JsonObject, own: readonly string[]): JsonObject | undefined {
  const extra = Object.entries(frame).filter(([key]) => !common.has(key) && !own.includes(key));
  const sent = frame['metrics'];
  const words = Object.entries(isJsonObject(sent) ? sent : {}).filter((entry) => !isFigure(entry));
  if (words.length > 0) extra.push(['metrics', Object.fromEntries(words)]);
  return extra.length === 0 ? undefined : Object.fromEntries(extra);
}
