import type { Base64 } from '../base64.ts';
import {
  encodeClosed,
  encodeError,
  encodeQueued,
  usageFields,
} from '../encode/lifecycle-event-encoders.ts';
import { encodePcm } from '../pcm.ts';
import type { CreatedEvent, OutputEvent, CommonFields, ServerEvent } from '../server-event.ts';

/** The frames for an event; chat's end, which this dialect cannot say, makes none. */
export function encodeLegacyServerEvent(event: ServerEvent, base64: Base64): readonly object[] {
  switch (event.kind) {
    case 'queued':
      return [{ ...event.extra, ...encodeQueued(event) }];
    case 'admitted':
      return [{ ...event.extra, type: 'session.queue_done' }];
    case 'created':
      return [encodeCreated(event)];
    case 'listen':
      return [{ ...event.extra, type: 'response.listen', ...context(event) }];
    case 'output':
      return [encodeOutput(event, base64)];
    case 'closed':
      return [{ ...event.extra, ...encodeClosed(event) }];
    case 'error':
      return [{ ...event.extra, ...encodeError(event) }];
    case 'unknown':
      return [event.raw];
    case 'done':
    case 'malformed':
      return [];
  }
}

function encodeCreated(event: CreatedEvent): object {
  return {
    ...event.extra,
    type: 'session.created',
    session_id: event.sessionId,
    prompt_length: event.promptLength,
    ...usageFields(event),
  };
}

function encodeOutput(event: OutputEvent, base64: Base64): object {
  return {
    ...event.extra,
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
