import type { ClosedEvent, QueuedEvent, ServerErrorEvent } from '../server-event.ts';

/** Events that look the same in both dialects. */
export function encodeQueued(event: QueuedEvent): object {
  return {
    type: event.stage === 'joined' ? 'session.queued' : 'session.queue_update',
    position: event.position,
    estimated_wait_s: event.etaSeconds,
    ticket_id: event.ticket,
    queue_length: event.length,
  };
}

export function encodeClosed(event: ClosedEvent): object {
  const { reason, diagnostic } = event;
  return {
    type: 'session.closed',
    reason,
    diagnostic: diagnostic === undefined ? undefined : { message: diagnostic },
  };
}

export function encodeError({ code, message, type }: ServerErrorEvent): object {
  return { type: 'error', error: { code, message, type } };
}
