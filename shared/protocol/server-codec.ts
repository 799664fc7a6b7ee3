import { encodeToolCall } from './duplex-tools.ts';
import { type Base64, encodePcm, stringifyWithBytes } from './base64-media.ts';
import type { ClientDecodeOptions } from './client-event-fields.ts';
import type {
  ChatTurnEvent,
  ClientEvent,
  ClientEventProblem,
  DialectName,
  ClosedEvent,
  CommonFields,
  CreatedEvent,
  DoneEvent,
  OutputEvent,
  QueuedEvent,
  ServerErrorEvent,
  ServerEvent,
} from './realtime-api.ts';
import { decodeClientEvent, decodeClientFrame, readClientFrame } from './decode-client-event.ts';
import { encodeUsage } from './token-usage.ts';

/** The server's side of the wire, for the embedded gateway. */
export interface ServerCodec {
  /** Returns several frames if the unified dialect sends text and sound in separate ones. */
  readonly encodeServerEvent: (event: ServerEvent, dialect: DialectName) => readonly string[];
  /** Never throws; an event of the other dialect is `unknown_event`. */
  readonly decodeClientEvent: (
    text: string,
    dialect: DialectName,
    reading?: ClientDecodeOptions,
  ) => ClientEvent | ClientEventProblem;
  /** Codec of the older gateways' written conversations. */
  readonly olderChat: OlderChatCodec;
}

export function createServerCodec(base64: Base64): ServerCodec {
  const forms = { unified: unifiedForms, legacy: legacyForms } as const;
  return {
    encodeServerEvent: (event, dialect) =>
      stringifyWithBytes((bytes) => encodeEvent(event, forms[dialect], bytes), base64),
    decodeClientEvent: (text, dialect, reading) =>
      decodeClientEvent(text, dialect, base64, reading),
    olderChat: createOlderChatCodec(base64),
  };
}

/** Chats of older gateways: a request is one frame without a type, with the content of an append's `input`. */
interface OlderChatCodec {
  readonly decodeRequest: (text: string) => ChatTurnEvent | ClientEventProblem;
  readonly encodePrefill: (inputTokens: number) => string;
  readonly encodeChunk: (event: OutputEvent) => string;
  readonly encodeDone: (event: DoneEvent, tokens: OlderChatTokens) => string;
  readonly encodeError: (message: string) => string;
}

export interface OlderChatTokens {
  readonly input: number;
  readonly generated: number;
}

export function createOlderChatCodec(base64: Base64): OlderChatCodec {
  const sound = (audio: Float32Array | undefined): string | undefined =>
    audio && encodePcm(audio, base64);
  return {
    decodeRequest: (text) => {
      const read = readClientFrame(text);
      if ('problem' in read) return read.problem;
      const frame = { type: 'input.append', input: read.frame };
      const event = decodeClientFrame(frame, 'unified', base64, { lenient: true, mode: 'chat' });
      if (event.kind === 'chat' || event.kind === 'problem') return event;
      return { kind: 'problem', code: 'missing_field', message: 'messages field is required' };
    },
    encodePrefill: (inputTokens) =>
      JSON.stringify({ type: 'prefill_done', input_tokens: inputTokens }),
    encodeChunk: ({ text, audio }) =>
      JSON.stringify({ type: 'chunk', text_delta: text, audio_data: sound(audio) }),
    encodeDone: ({ text, audio }, { input, generated }) =>
      JSON.stringify({
        type: 'done',
        text,
        audio_data: sound(audio),
        generated_tokens: generated,
        input_tokens: input,
      }),
    encodeError: (message) => JSON.stringify({ type: 'error', error: message }),
  };
}

/** The events whose form depends on the dialect. */
type DialectForms = {
  readonly [Kind in 'created' | 'listen' | 'output' | 'done' | 'closed' | 'toolCall']: (
    event: Extract<ServerEvent, { readonly kind: Kind }>,
    base64: Base64,
  ) => readonly object[];
};

/** Encodes an event; one without a wire form gives no frames. */
function encodeEvent(event: ServerEvent, forms: DialectForms, base64: Base64): readonly object[] {
  switch (event.kind) {
    case 'queued':
      return [encodeQueued(event)];
    case 'admitted':
      return [{ type: 'session.queue_done', tools: event.takesTools }];
    case 'created':
      return forms.created(event, base64);
    case 'listen':
      return forms.listen(event, base64);
    case 'output':
      return forms.output(event, base64);
    case 'done':
      return forms.done(event, base64);
    case 'closed':
      return forms.closed(event, base64);
    case 'error':
      return [encodeError(event)];
    case 'toolCall':
      return forms.toolCall(event, base64);
    case 'unknown':
      return [event.raw];
    case 'malformed':
      return [];
  }
}

/** Text and sound of an output become two frames. */
const unifiedForms: DialectForms = {
  created: (event) => [encodeCreated(event)],
  listen: (event) => [encodeDelta('listen', {}, event)],
  output: encodeOutput,
  done: (event, base64) => [encodeDone(event, base64)],
  closed: (event) => [{ ...encodeClosed(event), session_id: event.sessionId }],
  toolCall: (event) => [encodeToolCall(event)],
};

function encodeCreated(event: CreatedEvent): object {
  return {
    type: 'session.created',
    session_id: event.sessionId,
    mode: event.runtimeMode,
    tools: event.takesTools,
    metrics: event.metrics?.values ?? {},
    ...usageFields(event),
  };
}

function encodeOutput(event: OutputEvent, base64: Base64): readonly object[] {
  const { text, audio } = event;
  const frames: object[] = [];
  if (text !== undefined) frames.push(encodeDelta('text', { text }, event));
  if (audio !== undefined) {
    const payload = { audio: encodePcm(audio, base64) };
    // Only the first event of a step reports its usage.
    frames.push(encodeDelta('audio', payload, text === undefined ? event : withoutUsage(event)));
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
    metrics: event.metrics?.values ?? {},
    ...usageFields(event),
  };
}

function encodeDelta(kind: string, payload: object, event: CommonFields): object {
  return {
    type: 'response.output.delta',
    kind,
    ...answerIds(event),
    ...payload,
    metrics: event.metrics?.values ?? {},
    ...usageFields(event),
  };
}

function withoutUsage(event: CommonFields): CommonFields {
  return { ...event, metrics: event.metrics && { values: event.metrics.values } };
}

function answerIds({ sessionId, responseId, inputId, serverTime }: CommonFields): object {
  return {
    session_id: sessionId,
    response_id: responseId,
    input_id: inputId,
    server_send_ts: serverTime === undefined ? undefined : serverTime / 1000,
  };
}

/** The end of a chat turn and a tool call have no form in this dialect. */
const legacyForms: DialectForms = {
  created: (event) => [encodeLegacyCreated(event)],
  listen: (event) => [{ type: 'response.listen', ...contextFields(event) }],
  output: (event, base64) => [encodeLegacyOutput(event, base64)],
  done: () => [],
  closed: (event) => [encodeClosed(event)],
  toolCall: () => [],
};

function encodeLegacyCreated(event: CreatedEvent): object {
  return {
    type: 'session.created',
    session_id: event.sessionId,
    prompt_length: event.promptLength,
    ...usageFields(event),
  };
}

function encodeLegacyOutput(event: OutputEvent, base64: Base64): object {
  return {
    type: 'response.output_audio.delta',
    text: event.text ?? '',
    audio: event.audio === undefined ? '' : encodePcm(event.audio, base64),
    end_of_turn: event.endOfTurn ?? false,
    ...contextFields(event),
  };
}

/** `kv_cache_length` is required in this dialect. */
function contextFields(event: CommonFields): object {
  return { kv_cache_length: event.metrics?.contextTokens ?? 0, ...usageFields(event) };
}

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
