import type { Base64 } from '../base64.ts';
import {
  encodeClosed,
  encodeError,
  encodeQueued,
  usageFields,
} from '../encode/lifecycle-event-encoders.ts';
import { encodePcm } from '../pcm.ts';
import type {
  CreatedEvent,
  DoneEvent,
  OutputEvent,
  CommonFields,
  ServerEvent,
} from '../server-event.ts';

/** The frames for an event: text and sound go apart, and what cannot be said makes none. */
export function encodeUnifiedServerEvent(event: ServerEvent, base64: Base64): readonly object[] {
  switch (event.kind) {
    case 'queued':
      return [{ ...event.extra, ...encodeQueued(event) }];
    case 'admitted':
      return [{ ...event.extra, type: 'session.queue_done' }];
    case 'created':
      return [encodeCreated(event)];
    case 'listen':
      return [delta('listen', {}, event)];
    case 'output':
      return encodeOutput(event, base64);
    case 'done':
      return [encodeDone(event, base64)];
    case 'closed':
      return [{ ...event.extra, ...encodeClosed(event), session_id: event.sessionId }];
    case 'error':
      return [{ ...event.extra, ...encodeError(event) }];
    case 'unknown':
      return [event.raw];
    case 'malformed':
      return [];
  }
}

function encodeCreated(event: CreatedEvent): object {
  return {
    ...event.extra,
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
    ...event.extra,
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
    ...event.extra,
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
