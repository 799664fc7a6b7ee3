import { type Base64, encodePcm } from './base64-media.ts';
import type {
  ClosedEvent,
  CommonFields,
  CreatedEvent,
  DoneEvent,
  OutputEvent,
  QueuedEvent,
  ServerErrorEvent,
  ServerEvent,
} from './server-event.ts';
import { encodeUsage } from './token-usage.ts';

/** The frames for an event: text and sound go apart, and what cannot be said makes none. */
export function encodeUnifiedServerEvent(event: ServerEvent, base64: Base64): readonly object[] {
  switch (event.kind) {
    case 'queued':
      return [encodeQueued(event)];
    case 'admitted':
      return [{ type: 'session.queue_done' }];
    case 'created':
      return [encodeCreated(event)];
    case 'listen':
      return [delta('listen', {}, event)];
    case 'output':
      return encodeOutput(event, base64);
    case 'done':
      return [encodeDone(event, base64)];
    case 'closed':
      return [{ ...encodeClosed(event), session_id: event.sessionId }];
    case 'error':
      return [encodeError(event)];
    case 'unknown':
      return [event.raw];
    case 'malformed':
      return [];
  }
}

function encodeCreated(event: CreatedEvent): object {
  return {
    type: 'session.created',
    session_id: event.sessionId,
    mode: event.runtimeMode,
    metrics: event.metrics?.figures ?? {},
    ...usageFields(event),
  };
}

function encodeOutput(event: OutputEvent, base64: Base64): readonly object[] {
  const { text, audio } = event;
  const frames: object[] = [];
  if (text !== undefined) frames.push(delta('text', { text }, event));
  if (audio !== undefined) {
    const payload = { audio: encodePcm(audio, base64) };
    // Of a step's events the first alone says what the step has used.
    frames.push(delta('audio', payload, text === undefined ? event : withoutUsage(event)));
  }
  return frames;
}

function encodeDone(event: DoneEvent, base64: Base64): object {
  return {
    type: 'response.done',
    ...answerIds(event),
    text: event.text,
    audio: event.audio && encodePcm(event.audio, base64),
    reason: event.reason ?? 'turn_end',
    metrics: event.metrics?.figures ?? {},
    ...usageFields(event),
  };
}

function delta(kind: string, payload: object, event: CommonFields): object {
  return {
    type: 'response.output.delta',
    kind,
    ...answerIds(event),
    ...payload,
    metrics: event.metrics?.figures ?? {},
    ...usageFields(event),
  };
}

function withoutUsage(event: CommonFields): CommonFields {
  return { ...event, metrics: event.metrics && { figures: event.metrics.figures } };
}

function answerIds({ sessionId, responseId, inputId, serverTime }: CommonFields): object {
  return {
    session_id: sessionId,
    response_id: responseId,
    input_id: inputId,
    server_send_ts: serverTime === undefined ? undefined : serverTime / 1000,
  };
}

/** The frames for an event; chat's end, which this dialect cannot say, makes none. */
export function encodeLegacyServerEvent(event: ServerEvent, base64: Base64): readonly object[] {
  switch (event.kind) {
    case 'queued':
      return [encodeQueued(event)];
    case 'admitted':
      return [{ type: 'session.queue_done' }];
    case 'created':
      return [encodeLegacyServerEventEncodeCreated(event)];
    case 'listen':
      return [{ type: 'response.listen', ...context(event) }];
    case 'output':
      return [encodeLegacyServerEventEncodeOutput(event, base64)];
    case 'closed':
      return [encodeClosed(event)];
    case 'error':
      return [encodeError(event)];
    case 'unknown':
      return [event.raw];
    case 'done':
    case 'malformed':
      return [];
  }
}

function encodeLegacyServerEventEncodeCreated(event: CreatedEvent): object {
  return {
    type: 'session.created',
    session_id: event.sessionId,
    prompt_length: event.promptLength,
    ...usageFields(event),
  };
}

function encodeLegacyServerEventEncodeOutput(event: OutputEvent, base64: Base64): object {
  return {
    type: 'response.output_audio.delta',
    text: event.text ?? '',
    audio: event.audio === undefined ? '' : encodePcm(event.audio, base64),
    end_of_turn: event.endOfTurn ?? false,
    ...context(event),
  };
}

/** The one figure that this dialect knows, and which it requires. */
function context(event: CommonFields): object {
  return { kv_cache_length: event.metrics?.contextTokens ?? 0, ...usageFields(event) };
}

/** Events that look the same in both dialects. */
function encodeQueued(event: QueuedEvent): object {
  return {
    type: event.stage === 'joined' ? 'session.queued' : 'session.queue_update',
    position: event.position,
    estimated_wait_s: event.etaSeconds,
    ticket_id: event.ticket,
    queue_length: event.length,
  };
}

function encodeClosed(event: ClosedEvent): object {
  const { reason, diagnostic } = event;
  return {
    type: 'session.closed',
    reason,
    diagnostic: diagnostic === undefined ? undefined : { message: diagnostic },
    ...usageFields(event),
  };
}

/** How newer servers say what was used; others say nothing of it. */
function usageFields({ metrics }: CommonFields): object {
  const { usage, stepUsage, stepIndex } = metrics ?? {};
  return {
    chunk_index: stepIndex,
    chunk_usage: stepUsage && encodeUsage(stepUsage),
    usage: usage && encodeUsage(usage),
  };
}

function encodeError({ code, message, type }: ServerErrorEvent): object {
  return { type: 'error', error: { code, message, type } };
}
