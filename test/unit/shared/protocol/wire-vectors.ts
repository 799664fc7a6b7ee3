import type {
  ClientEvent,
  DialectName,
  ServerEvent,
} from '../../../../shared/protocol/realtime-api.ts';
import type { JsonObject } from '../../../../shared/protocol/json.ts';

/** The same media as bytes and as the text that stands for them in frames. */
export const sound = Float32Array.of(0.5, -0.25);
export const soundText = 'AAAAPwAAgL4=';

/** A WAV file of 32-bit float samples, 16 kHz and mono. */
export const wavText =
  'UklGRkQAAABXQVZFZm10IBIAAAADAAEAgD4AAAD6AAAEACAAAABmYWN0BAAAAAIAAABkYXRhCAAAAAAAAD8AAIC+anVuawIAAAAAAA==';

export const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);
export const jpegText = '/9j/2Q==';

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
const pngText = 'iVBORw==';

/** An event and its frame; reading and writing must both give the other. */
interface Vector<Event> {
  readonly name: string;
  readonly dialect: DialectName;
  readonly event: Event;
  readonly frame: JsonObject;
}

type Vectors<Event> = Readonly<Record<string, readonly [event: Event, frame: JsonObject]>>;

function inDialect<Event>(dialect: DialectName, vectors: Vectors<Event>): readonly Vector<Event>[] {
  return Object.entries(vectors).map(([name, [event, frame]]) => ({ dialect, name, event, frame }));
}

const audio = sound;
const instructions = 'You are a helpful video voice assistant.';
const voice = { model: sound, speech: sound };
const question = { role: 'user', content: 'Reply with exactly: test' } as const;

/** Each field of the configuration, and its name in a frame. */
const generation = [
  ['lengthPenalty', 'length_penalty', 1.1],
  ['temperature', 'temperature', 0.7],
  ['topK', 'top_k', 100],
  ['topP', 'top_p', 0.8],
  ['textRepetitionPenalty', 'text_repetition_penalty', 1.05],
  ['listenProbScale', 'listen_prob_scale', 1],
  ['listenTopK', 'listen_top_k', 5],
  ['maxNewSpeakTokensPerChunk', 'max_new_speak_tokens_per_chunk', 20],
  ['forceListenCount', 'force_listen_count', 0],
  ['generateAudio', 'generate_audio', true],
  ['lsMode', 'ls_mode', 'explicit'],
  ['decodeMode', 'decode_mode', 'sampling'],
  ['ttsTemperature', 'tts_temperature', 0.8],
  ['ttsRepetitionPenalty', 'tts_repetition_penalty', 1.05],
  ['chunkMs', 'chunk_ms', 1000],
] as const;

const unifiedRequests: Vectors<ClientEvent> = {
  'an empty configuration, as chat may send it': [
    { kind: 'configure', settings: {} },
    { type: 'session.init', payload: {} },
  ],
  'a configuration with every field': [
    {
      kind: 'configure',
      settings: {
        instructions,
        generation: {
          ...Object.fromEntries(generation.map(([name, , value]) => [name, value])),
          other: { beam_width: 2 },
        },
        voice,
      },
    },
    {
      type: 'session.init',
      payload: {
        system_prompt: instructions,
        config: {
          ...Object.fromEntries(generation.map(([, field, value]) => [field, value])),
          beam_width: 2,
        },
        voice: { ref_audio_base64: soundText, tts_ref_audio_base64: soundText },
      },
    },
  ],
  'sound alone': [
    { kind: 'append', audio },
    { type: 'input.append', input: { audio: soundText } },
  ],
  'sound with frames': [
    {
      kind: 'append',
      inputId: '17',
      audio,
      frames: [jpeg, jpeg],
      forceListen: false,
      maxSlices: 1,
    },
    {
      type: 'input.append',
      input: {
        audio: soundText,
        video_frames: [jpegText, jpegText],
        force_listen: false,
        max_slice_nums: 1,
        input_id: '17',
      },
    },
  ],
  'flags in the hints': [
    { kind: 'append', audio, forceListen: true, maxSlices: 9, flagsIn: 'hints' },
    {
      type: 'input.append',
      input: { audio: soundText, hints: { force_listen: true, max_slice_nums: 9 } },
    },
  ],
  'a chat turn': [
    { kind: 'chat', messages: [question] },
    { type: 'input.append', input: { messages: [question] } },
  ],
  'a chat turn with every field': [
    {
      kind: 'chat',
      inputId: '3',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Describe this image' },
            { type: 'image', image: png },
            { type: 'audio', audio },
          ],
        },
        { role: 'assistant', content: 'A cat.' },
      ],
      streaming: true,
      maxNewTokens: 64,
      lengthPenalty: 1.1,
      maxSlices: 1,
      omni: false,
      speech: { enabled: true, voice: sound },
      useTtsTemplate: false,
      thinking: false,
    },
    {
      type: 'input.append',
      input: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Describe this image' },
              { type: 'image', data: pngText },
              { type: 'audio', data: soundText },
            ],
          },
          { role: 'assistant', content: 'A cat.' },
        ],
        streaming: true,
        generation: { max_new_tokens: 64, length_penalty: 1.1 },
        image: { max_slice_nums: 1 },
        omni_mode: false,
        tts: { enabled: true, ref_audio_data: soundText },
        use_tts_template: false,
        enable_thinking: false,
        input_id: '3',
      },
    },
  ],
};

const legacyRequests: Vectors<ClientEvent> = {
  'a configuration with every field': [
    { kind: 'configure', settings: { instructions, maxSlices: 4, voice } },
    {
      type: 'session.update',
      session: { instructions, max_slice_nums: 4, ref_audio: wavText, tts_ref_audio: wavText },
    },
  ],
  'sound alone': [
    { kind: 'append', audio },
    { type: 'input_audio_buffer.append', audio: soundText },
  ],
  'sound and a frame': [
    { kind: 'append', audio, frames: [jpeg], forceListen: true, maxSlices: 1 },
    {
      type: 'input_audio_buffer.append',
      audio: soundText,
      video_frames: [jpegText],
      force_listen: true,
      max_slice_nums: 1,
    },
  ],
};

const close: Vectors<ClientEvent> = {
  'the close': [
    { kind: 'close', reason: 'user_stop' },
    { type: 'session.close', reason: 'user_stop' },
  ],
};

export const clientEventVectors = [
  ...inDialect('unified', { ...unifiedRequests, ...close }),
  ...inDialect('legacy', { ...legacyRequests, ...close }),
];

const futureEvent = { type: 'response.unit.start', unit: { id: 7, parts: [null, true] } };
const futureKind = { type: 'response.output.delta', kind: 'gesture', wave: true };
const queueFull = { code: 'queue_full', message: 'Queue full', type: 'server_error' };
const noAudio = { code: 'missing_field', message: 'no audio', type: 'client_error' };

/** Events that both dialects write alike. */
const lifecycle: Vectors<ServerEvent> = {
  queued: [
    { kind: 'queued', stage: 'joined', position: 2, length: 3, etaSeconds: 20, ticket: 't_1' },
    {
      type: 'session.queued',
      position: 2,
      estimated_wait_s: 20,
      ticket_id: 't_1',
      queue_length: 3,
    },
  ],
  'queue update without a ticket': [
    { kind: 'queued', stage: 'moved', position: 1, length: 1, etaSeconds: 4.5 },
    { type: 'session.queue_update', position: 1, estimated_wait_s: 4.5, queue_length: 1 },
  ],
  'queue done': [{ kind: 'admitted' }, { type: 'session.queue_done' }],
  closed: [
    { kind: 'closed', reason: 'timeout' },
    { type: 'session.closed', reason: 'timeout' },
  ],
  'closed with a diagnostic': [
    { kind: 'closed', reason: 'backend_error', diagnostic: 'no such event' },
    {
      type: 'session.closed',
      reason: 'backend_error',
      diagnostic: { message: 'no such event' },
    },
  ],
  'server error': [
    { kind: 'error', ...queueFull },
    { type: 'error', error: queueFull },
  ],
  'client error': [
    { kind: 'error', ...noAudio },
    { type: 'error', error: noAudio },
  ],
  'an unknown future event': [
    { kind: 'unknown', type: futureEvent.type, raw: futureEvent },
    futureEvent,
  ],
};

const stats = { kv_cache_length: 1024, vision_slices: 1, vision_tokens: 64 };
const ids = { session_id: 'sess_xxx', response_id: 'resp_xxx' };
const readIds = { sessionId: 'sess_xxx', responseId: 'resp_xxx' };
const done = { type: 'response.done', text: 'test', reason: 'turn_end', metrics: {} };

const unifiedAnswers: Vectors<ServerEvent> = {
  created: [
    { kind: 'created', sessionId: 'sess_xxx', runtimeMode: 'full_duplex' },
    { type: 'session.created', session_id: 'sess_xxx', mode: 'full_duplex', metrics: {} },
  ],
  'closed, with its session': [
    { kind: 'closed', sessionId: 'sess_xxx', reason: 'user_stop' },
    { type: 'session.closed', session_id: 'sess_xxx', reason: 'user_stop' },
  ],
  listen: [
    {
      kind: 'listen',
      wire: 'unified',
      sessionId: 'sess_xxx',
      metrics: { contextTokens: 1024, values: stats },
    },
    { type: 'response.output.delta', kind: 'listen', session_id: 'sess_xxx', metrics: stats },
  ],
  text: [
    { kind: 'output', wire: 'unified', ...readIds, inputId: 'input_xxx', text: 'Hello' },
    {
      type: 'response.output.delta',
      kind: 'text',
      ...ids,
      input_id: 'input_xxx',
      text: 'Hello',
      metrics: {},
    },
  ],
  'audio, with the time it was sent': [
    {
      kind: 'output',
      wire: 'unified',
      responseId: 'resp_xxx',
      serverTime: 1_714_200_000_125.5,
      audio: sound,
      metrics: { values: { wall_clock_ms: 900.5 } },
    },
    {
      type: 'response.output.delta',
      kind: 'audio',
      response_id: 'resp_xxx',
      server_send_ts: 1_714_200_000.1255,
      audio: soundText,
      metrics: { wall_clock_ms: 900.5 },
    },
  ],
  'an unknown future kind': [
    { kind: 'unknown', type: futureKind.type, raw: futureKind },
    futureKind,
  ],
  done: [
    { kind: 'done', ...readIds, text: 'test', reason: 'turn_end' },
    { ...done, ...ids },
  ],
  'done with the whole sound': [
    { kind: 'done', text: 'test', audio: sound, reason: 'turn_end' },
    { ...done, audio: soundText },
  ],
};

const metrics = { contextTokens: 1024, values: { kv_cache_length: 1024 } };
const spoken = { type: 'response.output_audio.delta', kv_cache_length: 1024 };
const heard = { kind: 'output', wire: 'legacy', metrics } as const;

const legacyAnswers: Vectors<ServerEvent> = {
  created: [
    { kind: 'created', sessionId: 'rt_1714200000000', promptLength: 256 },
    { type: 'session.created', session_id: 'rt_1714200000000', prompt_length: 256 },
  ],
  'audio delta': [
    { ...heard, text: 'The weather is nice', audio: sound, endOfTurn: false },
    { ...spoken, text: 'The weather is nice', audio: soundText, end_of_turn: false },
  ],
  'the last audio delta of a turn, without text': [
    { ...heard, audio: sound, endOfTurn: true },
    { ...spoken, text: '', audio: soundText, end_of_turn: true },
  ],
  'text ahead of its sound': [
    { ...heard, text: '今天', endOfTurn: false },
    { ...spoken, text: '今天', audio: '', end_of_turn: false },
  ],
  listen: [
    { kind: 'listen', wire: 'legacy', metrics },
    { type: 'response.listen', kv_cache_length: 1024 },
  ],
};

export const serverEventVectors = [
  ...inDialect('unified', { ...lifecycle, ...unifiedAnswers }),
  ...inDialect('legacy', { ...lifecycle, ...legacyAnswers }),
];
