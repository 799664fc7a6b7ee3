import {
  floats,
  jpeg,
  picture,
  wav,
  anything,
  flag,
  isObject,
  list,
  number,
  oneOf,
  openObject,
  object,
  text,
  integer,
  type Rule,
} from './frame-rules.ts';

/**
 * Checks client frames against the documents alone, without code of the codecs, so that a
 * misreading has to happen twice.
 */

/** `connected` is after queue_done, `active` after created, `closed` after a close by either side. */
export type SessionStage = 'queued' | 'connected' | 'active' | 'closed';

type Dialect = 'unified' | 'legacy';
type Mode = 'chat' | 'audio' | 'video';

/** "Minimum: 4000 samples (250ms)". */
const chunk = floats(4000);
const slices = integer(1, 9);
const voice = floats(1);

const unifiedInit = object({
  'type!': anything,
  'payload!': object({
    system_prompt: text,
    instructions: text,
    config: openObject({ length_penalty: number }),
    voice: object({ ref_audio_base64: voice, tts_ref_audio_base64: voice }),
  }),
});

/** In chat the payload has no fields. */
const chatInit = object({ 'type!': anything, 'payload!': object({}) });

/** The documents mention an input's id only where the server names it, in `response.output.delta`. */
const duplexInput = {
  'audio!': chunk,
  force_listen: flag,
  max_slice_nums: slices,
  hints: object({ force_listen: flag, max_slice_nums: slices }),
  input_id: text,
};

const parts: Readonly<Record<string, Rule>> = {
  text: object({ 'type!': anything, 'text!': text }),
  image: object({ 'type!': anything, 'data!': picture }),
  /** "Enables omni chat input": sound is a content part like a picture. */
  audio: object({ 'type!': anything, 'data!': voice }),
};

const contentPart: Rule = (value, at) => {
  const rule = isObject(value) ? parts[String(value['type'])] : undefined;
  return rule === undefined ? [`${at} is no part of a message`] : rule(value, at);
};

const content: Rule = (value, at) =>
  typeof value === 'string' ? [] : list(contentPart)(value, at);

const chatInput = object({
  'messages!': list(
    object({ 'role!': oneOf('system', 'user', 'assistant'), 'content!': content }),
    1,
  ),
  streaming: flag,
  generation: object({ max_new_tokens: integer(1, 1_000_000), length_penalty: number }),
  image: object({ max_slice_nums: slices }),
  omni_mode: flag,
  tts: object({ enabled: flag, ref_audio_data: voice }),
  use_tts_template: flag,
  enable_thinking: flag,
  input_id: text,
});

const close = object({ 'type!': anything, reason: text });

const unifiedInputs: Readonly<Record<Mode, Rule>> = {
  chat: chatInput,
  audio: object(duplexInput),
  video: object({ ...duplexInput, video_frames: list(jpeg) }),
};

function unified(mode: Mode): Readonly<Record<string, Rule>> {
  return {
    'session.init': mode === 'chat' ? chatInit : unifiedInit,
    'input.append': object({ 'type!': anything, 'input!': unifiedInputs[mode] }),
    'session.close': close,
  };
}

/** "Audio Full-Duplex mode has no max_slice_nums field"; its `video_frames` are undefined behaviour. */
function legacy(mode: Mode): Readonly<Record<string, Rule>> {
  const video = mode === 'video';
  const session = { 'instructions!': text, ref_audio: wav, tts_ref_audio: wav };
  const append = { 'type!': anything, 'audio!': chunk, force_listen: flag };
  return {
    'session.update': object({
      'type!': anything,
      'session!': object(video ? { ...session, max_slice_nums: slices } : session),
    }),
    'input_audio_buffer.append': object(
      video ? { ...append, video_frames: list(jpeg), max_slice_nums: slices } : append,
    ),
    'session.close': close,
  };
}

const configures: Readonly<Record<Dialect, string>> = {
  unified: 'session.init',
  legacy: 'session.update',
};

function outOfOrder(type: string, dialect: Dialect, stage: SessionStage): readonly string[] {
  const isConfigure = type === configures[dialect];
  if (stage === 'queued') return [`${type} is sent before queue_done`];
  if (stage === 'closed') return [`${type} is sent after the end`];
  if (stage === 'connected' && !isConfigure) return [`${type} is sent before created`];
  return stage === 'active' && isConfigure ? [`${type} is sent a second time`] : [];
}

/** Lists every rule of the documents that a frame breaks, field by field. */
export function checkClientFrame(
  frame: unknown,
  dialect: Dialect,
  mode: Mode,
  stage: SessionStage,
): string[] {
  if (!isObject(frame)) return ['the frame is not an object'];
  const { type } = frame;
  if (typeof type !== 'string') return ['type is not a string'];
  if (dialect === 'legacy' && mode === 'chat') return ['legacy has no chat'];
  const rule = (dialect === 'unified' ? unified : legacy)(mode)[type];
  if (rule === undefined) return [`${type} is no event of the ${dialect} dialect`];
  return [...outOfOrder(type, dialect, stage), ...rule(frame, type)];
}

// The frames of servers: the documents' rules, and those of deployed servers.

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

const legacyServer: Readonly<Record<string, Rule>> = {
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

function unifiedServer(by: RuleSource): Readonly<Record<string, Rule>> {
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
  const rules = { ...common(by), ...(dialect === 'legacy' ? legacyServer : unifiedServer(by)) };
  return rules[type]?.(frame, type) ?? [`"${type}" is no event of a server`];
}
