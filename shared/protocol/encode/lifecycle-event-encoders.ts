import type { ClosedEvent, CommonFields, QueuedEvent, ServerErrorEvent } from '../server-event.ts';
import { encodeUsage } from '../token-usage.ts';

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
    ...usageFields(event),
  };
}

/** How newer servers say what was used; others say nothing of it. */
export function usageFields({ metrics }: CommonFields): object {
  const { usage, stepUsage, stepIndex } = metrics ?? {};
  return {
    chunk_index: stepIndex,
    chunk_usage: stepUsage && encodeUsage(stepUsage),
    usage: usage && encodeUsage(usage),
  };
}

export function encodeError({ code, message, type }: ServerErrorEvent): object {
  return { type: 'error', error: { code, message, type } };
}
