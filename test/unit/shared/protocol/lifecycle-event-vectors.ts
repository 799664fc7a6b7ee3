import type { JsonObject } from '../../../../shared/protocol/json.ts';
import type { ServerEvent } from '../../../../shared/protocol/server-event.ts';

/** An event and its frame; reading and writing must both give the other. */
export interface WireAndEvent {
  readonly name: string;
  readonly frame: JsonObject;
  readonly event: ServerEvent;
}

/** Events that both dialects write alike. */
export const lifecycleEventVectors: readonly WireAndEvent[] = [
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
