import type { Closed, Queued, ServerError } from '../server-event.ts';

/** Events that look the same in both dialects. */
export function encodeQueued(event: Queued): object {
  return {
    type: event.stage === 'joined' ? 'session.queued' : 'session.queue_update',
    position: event.position,
    estimated_wait_s: event.etaSeconds,
    ticket_id: event.ticket,
    queue_length: event.length,
  };
}

export function encodeClosed(event: Closed): object {
  const { reason, diagnostic } = event;
  return {
    type: 'session.closed',
    reason,
    diagnostic: diagnostic === undefined ? undefined : { message: diagnostic },
  };
}

export function encodeError({ code, message, type }: ServerError): object {
  return { type: 'error', error: { code, message, type } };
}
