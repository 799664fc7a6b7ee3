import { isJsonObject } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type {
  ClosedEvent,
  CreatedEvent,
  QueuedEvent,
  ServerErrorEvent,
  ServerEvent,
} from '../server-event.ts';
import { nameIn, numberIn, remarkIn } from './json-fields.ts';
import { commonFieldsOf } from './common-fields.ts';

/** The events about the session itself; both dialects have them. */
export const lifecycleEventDecoders: ReadonlyMap<string, (frame: JsonObject) => ServerEvent> =
  new Map<string, (frame: JsonObject) => ServerEvent>([
    ['session.queued', (frame) => queued(frame, 'joined')],
    ['session.queue_update', (frame) => queued(frame, 'moved')],
    ['session.queue_done', (frame) => ({ kind: 'admitted', ...commonFieldsOf(frame, []) })],
    ['session.created', created],
    ['session.closed', closed],
    ['error', serverError],
  ]);

function queued(frame: JsonObject, stage: QueuedEvent['stage']): QueuedEvent {
  const own = ['position', 'queue_length', 'estimated_wait_s', 'ticket_id'];
  return {
    kind: 'queued',
    stage,
    position: numberIn(frame, 'position'),
    length: numberIn(frame, 'queue_length'),
    etaSeconds: numberIn(frame, 'estimated_wait_s'),
    ticket: nameIn(frame, 'ticket_id'),
    ...commonFieldsOf(frame, own),
  };
}

function created(frame: JsonObject): CreatedEvent {
  return {
    kind: 'created',
    runtimeMode: nameIn(frame, 'mode'),
    promptLength: numberIn(frame, 'prompt_length'),
    ...commonFieldsOf(frame, ['mode', 'prompt_length']),
  };
}

function closed(frame: JsonObject): ClosedEvent {
  const diagnostic = frame['diagnostic'];
  const message = isJsonObject(diagnostic)
    ? remarkIn(diagnostic, 'message')
    : remarkIn(frame, 'diagnostic');
  return {
    kind: 'closed',
    reason: nameIn(frame, 'reason') ?? 'unspecified',
    diagnostic: message,
    // A diagnostic that says more than its message stays readable as it came.
    ...commonFieldsOf(frame, saysNoMore(diagnostic) ? ['reason', 'diagnostic'] : ['reason']),
  };
}

function saysNoMore(diagnostic: JsonObject[string] | undefined): boolean {
  if (!isJsonObject(diagnostic)) return true;
  return Object.keys(diagnostic).every((key) => key === 'message');
}

/** Whatever shape it comes in, an error is an error, and never without words. */
function serverError(frame: JsonObject): ServerErrorEvent {
  const detail = frame['error'];
  const source = isJsonObject(detail) ? detail : frame;
  const words = remarkIn(source, 'message') ?? remarkIn(frame, 'error') ?? '';
  const own = isJsonObject(detail) ? ['error'] : ['error', 'code', 'message'];
  return {
    kind: 'error',
    code: nameIn(source, 'code') ?? 'unspecified',
    message: words === '' ? 'The server reported an error without saying which.' : words,
    type: isJsonObject(detail) ? nameIn(detail, 'type') : undefined,
    ...commonFieldsOf(frame, own),
  };
}
