import { type Base64, parseFrame, stringifyWithBytes } from './base64-media.ts';
import type { ClientEvent } from './client-event.ts';
import {
  decodeAudioDelta,
  decodeChunk,
  decodeDelta,
  decodeDone,
  decodeListen,
  decodeOlderDone,
  decodePrefill,
} from './decode-output.ts';
import { encodeLegacyClientEvent, encodeUnifiedClientEvent } from './encode-client-event.ts';
import { isJsonObject, isSimpleJson, type JsonObject } from './json.ts';
import type { DialectName } from './realtime-api.ts';
import { commonFieldsOf, nameIn, numberIn, remarkIn, typeInWords } from './server-event-fields.ts';
import type {
  ClosedEvent,
  CreatedEvent,
  QueuedEvent,
  ServerErrorEvent,
  ServerEvent,
} from './server-event.ts';

/** The client's side of the wire. What servers say is told apart by itself, so reading needs no dialect. */
export interface ClientCodec {
  /** Throws only for what the dialect cannot say at all: a chat turn in legacy. */
  readonly encodeClientEvent: (ask: ClientEvent, dialect: DialectName) => string;
  /** Never throws, whatever the text is. */
  readonly decodeServerEvent: (text: string) => ServerEvent;
}

export function createClientCodec(base64: Base64): ClientCodec {
  const encoders = { unified: encodeUnifiedClientEvent, legacy: encodeLegacyClientEvent } as const;
  return {
    encodeClientEvent: (event, dialect) =>
      stringifyWithBytes((bytes) => [encoders[dialect](event, bytes)], base64).join(''),
    decodeServerEvent: (text) => decodeServerEvent(text, base64),
  };
}

/** The events about the session itself; both dialects have them. */
const lifecycleEventDecoders: ReadonlyMap<string, (frame: JsonObject) => ServerEvent> = new Map<
  string,
  (frame: JsonObject) => ServerEvent
>([
  ['session.queued', (frame) => queued(frame, 'joined')],
  ['session.queue_update', (frame) => queued(frame, 'moved')],
  ['session.queue_done', (frame) => ({ kind: 'admitted', ...commonFieldsOf(frame) })],
  ['session.created', created],
  ['session.closed', closed],
  ['error', serverError],
]);

function queued(frame: JsonObject, stage: QueuedEvent['stage']): QueuedEvent {
  return {
    kind: 'queued',
    stage,
    position: numberIn(frame, 'position'),
    length: numberIn(frame, 'queue_length'),
    etaSeconds: numberIn(frame, 'estimated_wait_s'),
    ticket: nameIn(frame, 'ticket_id'),
    ...commonFieldsOf(frame),
  };
}

function created(frame: JsonObject): CreatedEvent {
  return {
    kind: 'created',
    runtimeMode: nameIn(frame, 'mode'),
    promptLength: numberIn(frame, 'prompt_length'),
    ...commonFieldsOf(frame),
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
    ...commonFieldsOf(frame),
  };
}

/** Whatever shape it comes in, an error is an error, and never without words. */
function serverError(frame: JsonObject): ServerErrorEvent {
  const detail = frame['error'];
  const source = isJsonObject(detail) ? detail : frame;
  const words = remarkIn(source, 'message') ?? remarkIn(frame, 'error') ?? '';
  return {
    kind: 'error',
    code: nameIn(source, 'code') ?? 'unspecified',
    message: words === '' ? 'The server reported an error without saying which.' : words,
    type: isJsonObject(detail) ? nameIn(detail, 'type') : undefined,
    ...commonFieldsOf(frame),
  };
}

type Decoder = (frame: JsonObject, base64: Base64) => ServerEvent;

/** No name means two things, so both dialects are understood without being told which it is. */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ...lifecycleEventDecoders,
  ['response.output.delta', decodeDelta],
  ['response.done', decodeDone],
  ['response.output_audio.delta', decodeAudioDelta],
  ['response.listen', decodeListen],
  // Of the older generation's own path for written conversations.
  ['prefill_done', decodePrefill],
  ['chunk', decodeChunk],
  ['done', decodeOlderDone],
]);

export function decodeServerEvent(text: string, base64: Base64): ServerEvent {
  if (!isSimpleJson(text)) {
    return { kind: 'malformed', problem: 'The server sent more JSON than any event has.' };
  }
  const frame = parseFrame(text);
  if (frame === undefined) {
    return { kind: 'malformed', problem: 'The server sent something that is not a JSON object.' };
  }
  const type = frame['type'];
  if (typeof type !== 'string') {
    const problem = `The server sent an event whose type is ${typeInWords(type)}.`;
    return { kind: 'malformed', problem };
  }
  return (
    decoders.get(type)?.(frame, base64) ?? {
      kind: 'unknown',
      type: nameIn(frame, 'type') ?? '',
      raw: frame,
    }
  );
}
