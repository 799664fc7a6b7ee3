import type { JsonObject } from '../../../../shared/protocol/json.ts';
import type { DialectName, ServerEvent } from '../../../../shared/protocol/realtime-api.ts';
import { sound, soundText } from './wire-media.ts';

/** An event and its frame; reading and writing must both give the other. */
export interface WireAndEvent {
  readonly name: string;
  readonly frame: JsonObject;
  readonly event: ServerEvent;
}

/** Events that both dialects write alike. */
const lifecycleEventVectors: readonly WireAndEvent[] = [
  {
    name: 'queued',
    frame: {
      type: 'session.queued',
      position: 2,
      estimated_wait_s: 20,
      ticket_id: 'ticket_xxx',
      queue_length: 3,
    },
    event: {
      kind: 'queued',
      stage: 'joined',
      position: 2,
      length: 3,
      etaSeconds: 20,
      ticket: 'ticket_xxx',
    },
  },
  {
    name: 'queue update without a ticket',
    frame: { type: 'session.queue_update', position: 1, estimated_wait_s: 4.5, queue_length: 1 },
    event: { kind: 'queued', stage: 'moved', position: 1, length: 1, etaSeconds: 4.5 },
  },
  { name: 'queue done', frame: { type: 'session.queue_done' }, event: { kind: 'admitted' } },
  {
    name: 'closed',
    frame: { type: 'session.closed', reason: 'timeout' },
    event: { kind: 'closed', reason: 'timeout' },
  },
  {
    name: 'closed with a diagnostic',
    frame: {
      type: 'session.closed',
      reason: 'backend_error',
      diagnostic: { message: 'no such event' },
    },
    event: { kind: 'closed', reason: 'backend_error', diagnostic: 'no such event' },
  },
  {
    name: 'server error',
    frame: {
      type: 'error',
      error: { code: 'queue_full', message: 'Queue full', type: 'server_error' },
    },
    event: { kind: 'error', code: 'queue_full', message: 'Queue full', type: 'server_error' },
  },
  {
    name: 'client error',
    frame: {
      type: 'error',
      error: { code: 'missing_field', message: 'audio field is required', type: 'client_error' },
    },
    event: {
      kind: 'error',
      code: 'missing_field',
      message: 'audio field is required',
      type: 'client_error',
    },
  },
  {
    name: 'an unknown future event',
    frame: { type: 'response.unit.start', unit: { id: 7, parts: [null, true] } },
    event: {
      kind: 'unknown',
      type: 'response.unit.start',
      raw: { type: 'response.unit.start', unit: { id: 7, parts: [null, true] } },
    },
  },
];

interface EventVector extends WireAndEvent {
  readonly dialect: DialectName;
}

const stats = { kv_cache_length: 1024, vision_slices: 1, vision_tokens: 64 };

const unified: readonly WireAndEvent[] = [
  {
    name: 'created',
    frame: { type: 'session.created', session_id: 'sess_xxx', mode: 'full_duplex', metrics: {} },
    event: { kind: 'created', sessionId: 'sess_xxx', runtimeMode: 'full_duplex' },
  },
  {
    name: 'closed, with its session',
    frame: { type: 'session.closed', session_id: 'sess_xxx', reason: 'user_stop' },
    event: { kind: 'closed', sessionId: 'sess_xxx', reason: 'user_stop' },
  },
  {
    name: 'listen',
    frame: {
      type: 'response.output.delta',
      kind: 'listen',
      session_id: 'sess_xxx',
      metrics: stats,
    },
    event: {
      kind: 'listen',
      wire: 'unified',
      sessionId: 'sess_xxx',
      metrics: { contextTokens: 1024, values: stats },
    },
  },
  {
    name: 'text',
    frame: {
      type: 'response.output.delta',
      kind: 'text',
      session_id: 'sess_xxx',
      response_id: 'resp_xxx',
      input_id: 'input_xxx',
      text: 'Hello',
      metrics: {},
    },
    event: {
      kind: 'output',
      wire: 'unified',
      sessionId: 'sess_xxx',
      responseId: 'resp_xxx',
      inputId: 'input_xxx',
      text: 'Hello',
    },
  },
  {
    name: 'audio, with the time it was sent',
    frame: {
      type: 'response.output.delta',
      kind: 'audio',
      response_id: 'resp_xxx',
      server_send_ts: 1_714_200_000.1255,
      audio: soundText,
      metrics: { wall_clock_ms: 900.5 },
    },
    event: {
      kind: 'output',
      wire: 'unified',
      responseId: 'resp_xxx',
      serverTime: 1_714_200_000_125.5,
      audio: sound,
      metrics: { values: { wall_clock_ms: 900.5 } },
    },
  },
  {
    name: 'an unknown future kind',
    frame: { type: 'response.output.delta', kind: 'gesture', wave: true },
    event: {
      kind: 'unknown',
      type: 'response.output.delta',
      raw: { type: 'response.output.delta', kind: 'gesture', wave: true },
    },
  },
  {
    name: 'done',
    frame: {
      type: 'response.done',
      session_id: 'sess_xxx',
      response_id: 'resp_xxx',
      text: 'test',
      reason: 'turn_end',
      metrics: {},
    },
    event: {
      kind: 'done',
      sessionId: 'sess_xxx',
      responseId: 'resp_xxx',
      text: 'test',
      reason: 'turn_end',
    },
  },
  {
    name: 'done with the whole sound',
    frame: {
      type: 'response.done',
      text: 'test',
      audio: soundText,
      reason: 'turn_end',
      metrics: {},
    },
    event: { kind: 'done', text: 'test', audio: sound, reason: 'turn_end' },
  },
];

const context = { contextTokens: 1024, values: { kv_cache_length: 1024 } };

const legacy: readonly WireAndEvent[] = [
  {
    name: 'created',
    frame: { type: 'session.created', session_id: 'rt_1714200000000', prompt_length: 256 },
    event: { kind: 'created', sessionId: 'rt_1714200000000', promptLength: 256 },
  },
  {
    name: 'audio delta',
    frame: {
      type: 'response.output_audio.delta',
      text: 'The weather is nice today',
      audio: soundText,
      end_of_turn: false,
      kv_cache_length: 1024,
    },
    event: {
      kind: 'output',
      wire: 'legacy',
      text: 'The weather is nice today',
      audio: sound,
      endOfTurn: false,
      metrics: context,
    },
  },
  {
    name: 'the last audio delta of a turn, without text',
    frame: {
      type: 'response.output_audio.delta',
      text: '',
      audio: soundText,
      end_of_turn: true,
      kv_cache_length: 1024,
    },
    event: { kind: 'output', wire: 'legacy', audio: sound, endOfTurn: true, metrics: context },
  },
  {
    name: 'text ahead of its sound',
    frame: {
      type: 'response.output_audio.delta',
      text: '今天',
      audio: '',
      end_of_turn: false,
      kv_cache_length: 1024,
    },
    event: { kind: 'output', wire: 'legacy', text: '今天', endOfTurn: false, metrics: context },
  },
  {
    name: 'listen',
    frame: { type: 'response.listen', kv_cache_length: 1024 },
    event: { kind: 'listen', wire: 'legacy', metrics: context },
  },
];

function inDialect(dialect: DialectName, vectors: readonly WireAndEvent[]): readonly EventVector[] {
  return vectors.map(({ name, frame, event }) => ({ dialect, name, frame, event }));
}

export const serverEventVectors: readonly EventVector[] = [
  ...inDialect('unified', [...lifecycleEventVectors, ...unified]),
  ...inDialect('legacy', [...lifecycleEventVectors, ...legacy]),
];
