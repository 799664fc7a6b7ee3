import { flag, isObject, number, oneOf, openObject, object, text, integer } from './frame-rules.ts';
import type { Rule } from './frame-rules.ts';
import { floats } from './frame-rules.ts';

/** Checks server frames against the documents and frames of deployed servers, without code of the codecs. */

type Dialect = 'unified' | 'legacy';
export type RuleSource = 'documents' | 'servers in use';

const context = integer(0, 1_000_000);
/** "audio: 24 kHz mono float32 PCM, base64 encoded"; empty in a session without sound. */
const sound = floats(0);
const seconds = integer(0, 1_000_000);

const documentedErrors = [
  'not_ready',
  'unknown_event',
  'invalid_event',
  'missing_field',
  'invalid_payload',
  'service_unavailable',
  'queue_full',
  'worker_busy',
  'worker_connect_failed',
  'inference_error',
];
/** Codes seen from deployed servers. */
const deployedErrors = ['session_failed', 'inference_failed'];

const legacyReasons = ['stopped', 'timeout', 'context_full', 'server_shutdown', 'error'];

const place = {
  'type!': text,
  'position!': integer(1, 10_000),
  'estimated_wait_s!': seconds,
  'queue_length!': integer(1, 10_000),
};

const errorOf = (codes: readonly string[]): Rule =>
  object({
    'type!': text,
    'error!': object({
      'code!': oneOf(...codes),
      'message!': text,
      'type!': oneOf('client_error', 'server_error'),
    }),
  });

/** Every metric is a number; the server chooses which it sends. */
const metrics: Rule = (value, at) => {
  if (!isObject(value)) return [`${at} is not an object`];
  return Object.entries(value).flatMap(([name, entry]) => number(entry, `${at}.${name}`));
};

function common(by: RuleSource): Readonly<Record<string, Rule>> {
  const codes = by === 'documents' ? documentedErrors : [...documentedErrors, ...deployedErrors];
  return {
    'session.queued': object({ ...place, 'ticket_id!': text }),
    'session.queue_update': object(
      by === 'documents' ? { ...place, 'ticket_id!': text } : { ...place, ticket_id: text },
    ),
    'session.queue_done': object({ 'type!': text }),
    error: errorOf(codes),
  };
}

const legacy: Readonly<Record<string, Rule>> = {
  'session.created': object({
    'type!': text,
    'session_id!': (value, at) =>
      /^rt_\d{13}$/.test(String(value)) ? [] : [`${at} is not rt_ and a time`],
    'prompt_length!': context,
  }),
  'response.output_audio.delta': object({
    'type!': text,
    'text!': text,
    'audio!': sound,
    'end_of_turn!': flag,
    'kv_cache_length!': context,
  }),
  'response.listen': object({ 'type!': text, 'kv_cache_length!': context }),
  'session.closed': object({ 'type!': text, 'reason!': oneOf(...legacyReasons) }),
};

function unified(by: RuleSource): Readonly<Record<string, Rule>> {
  const seen = by === 'documents' ? {} : { server_send_ts: number };
  const ids = { session_id: text, response_id: text, input_id: text };
  const delta = { 'type!': text, 'kind!': text, 'metrics!': metrics, ...ids, ...seen };
  const kinds: Readonly<Record<string, Rule>> = {
    listen: object(delta),
    text: object({ ...delta, 'text!': text }),
    audio: object({ ...delta, 'audio!': sound }),
  };
  return {
    'session.created': object({
      'type!': text,
      'session_id!': text,
      'mode!': oneOf('full_duplex', 'turn_based'),
      'metrics!': metrics,
    }),
    'response.output.delta': (value, at) => {
      const kind = isObject(value) ? String(value['kind']) : '';
      return kinds[kind]?.(value, at) ?? [`${at}.kind is none of ${Object.keys(kinds).join(', ')}`];
    },
    'response.done': object({
      'type!': text,
      'text!': text,
      'reason!': text,
      'metrics!': metrics,
      audio: sound,
      ...ids,
      ...seen,
    }),
    'session.closed': object({
      'type!': text,
      'reason!': text,
      ...(by === 'documents'
        ? { 'session_id!': text }
        : { session_id: text, diagnostic: openObject({ message: text }) }),
    }),
  };
}

export function checkServerFrame(
  frame: unknown,
  dialect: Dialect,
  by: RuleSource,
): readonly string[] {
  const type = isObject(frame) ? String(frame['type']) : '';
  const rules = { ...common(by), ...(dialect === 'legacy' ? legacy : unified(by)) };
  return rules[type]?.(frame, type) ?? [`"${type}" is no event of a server`];
}
