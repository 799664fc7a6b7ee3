import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import {
  createClientCodec,
  encodeOlderChatRequest,
} from '../../../../shared/protocol/client-codec.ts';
import {
  createOlderChatCodec,
  createServerCodec,
} from '../../../../shared/protocol/server-codec.ts';
import type { Metrics, ServerEvent } from '../../../../shared/protocol/realtime-api.ts';

// Tools in talks and token usage, which newer servers have, and chats of older ones.

const older = createOlderChatCodec(bufferBase64);
const client = createClientCodec(bufferBase64);
const server = createServerCodec(bufferBase64);
const { decodeServerEvent } = client;
const read = (frame: object): ServerEvent => decodeServerEvent(JSON.stringify(frame));

describe('a request of the older chat API', () => {
  it('is one frame without a type, and is read back unchanged', () => {
    const turn = {
      messages: [
        { role: 'system', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            { type: 'image', image: Uint8Array.of(1, 2, 3) },
            { type: 'text', text: 'Hello' },
          ],
        },
      ],
      streaming: true,
      maxNewTokens: 9,
      speech: { enabled: true, voice: new Float32Array(4).fill(0.5) },
    } as const;
    const text = encodeOlderChatRequest(turn, bufferBase64);
    const fields = ['messages', 'streaming', 'generation', 'tts'];
    expect(Object.keys(JSON.parse(text) as object)).toEqual(fields);
    expect(older.decodeRequest(text)).toMatchObject({ kind: 'chat', ...turn });
  });

  it('is read leniently in the form that deployed servers accept', () => {
    const text = { type: 'text', text: 'Hello' };
    const messages = [{ role: 'user', content: [{ type: 'smell' }, text] }];
    expect(older.decodeRequest(JSON.stringify({ messages, streaming: 1 }))).toMatchObject({
      kind: 'chat',
      messages: [{ role: 'user', content: [text] }],
      streaming: true,
    });
  });

  it.each([
    ['hello', 'bad_json', 'the frame is not a JSON object'],
    ['{}', 'missing_field', 'input.messages field is required'],
    ['{"audio":"AAAAPw=="}', 'missing_field', 'input.messages field is required'],
    ['{"messages":[]}', 'invalid_payload', 'input.messages must not be empty'],
  ])('is refused if it contains no question: %s', (text, code, message) => {
    expect(older.decodeRequest(text)).toEqual({ kind: 'problem', code, message });
  });
});

describe('an answer of the older chat API', () => {
  it('is read like other answers', () => {
    const audio = new Float32Array(3).fill(0.25);
    const metrics = { contextTokens: 44, values: { generated_tokens: 2, input_tokens: 42 } };
    const frames = [
      older.encodePrefill(42),
      older.encodeChunk({ kind: 'output', wire: 'legacy', text: 'Hel', audio }),
      older.encodeDone({ kind: 'done', text: 'Hello' }, { input: 42, generated: 2 }),
      older.encodeError('Worker busy'),
    ];
    expect(frames.map((frame) => decodeServerEvent(frame))).toMatchObject([
      { kind: 'created', promptLength: 42 },
      { kind: 'output', text: 'Hel', audio },
      { kind: 'done', text: 'Hello', metrics },
      { kind: 'error', message: 'Worker busy' },
    ]);
  });

  const output = { kind: 'output', wire: 'legacy' };
  const half = Float32Array.of(0.5);
  const tokens = { generated_tokens: 2, input_tokens: 4 };

  it.each<readonly [object, object]>([
    [{ type: 'prefill_done' }, { kind: 'created' }],
    [
      { type: 'prefill_done', input_tokens: 4 },
      { kind: 'created', promptLength: 4 },
    ],
    [{ type: 'chunk' }, output],
    [{ type: 'chunk', text_delta: '', audio_data: '' }, output],
    [
      { type: 'chunk', text_delta: 'Hi' },
      { ...output, text: 'Hi' },
    ],
    [
      { type: 'chunk', audio_data: 'AAAAPw==' },
      { ...output, audio: half },
    ],
    [{ type: 'done' }, { kind: 'done', text: '' }],
    [
      { type: 'done', text: 'Hi', audio_data: '' },
      { kind: 'done', text: 'Hi' },
    ],
    [
      { type: 'done', text: 'Hi', audio_data: 'AAAAPw==', ...tokens },
      { kind: 'done', text: 'Hi', audio: half, metrics: { contextTokens: 6, values: tokens } },
    ],
    // The size of the context needs both counts.
    [
      { type: 'done', generated_tokens: 2 },
      { kind: 'done', text: '', metrics: { values: { generated_tokens: 2 } } },
    ],
    [
      { type: 'done', input_tokens: 2 },
      { kind: 'done', text: '' },
    ],
  ])('has only the fields that the server sent: %j', (frame, event) => {
    const found = read(frame);
    expect(found).toEqual(event);
    for (const field of ['text', 'audio'])
      expect(Object.hasOwn(found, field)).toBe(Object.hasOwn(event, field));
  });

  it.each([
    ['{"type":"chunk","text_delta":7}', /its text is a number/],
    ['{"type":"chunk","audio_data":"AAA"}', /audio/],
    ['{"type":"done","text":[]}', /its text is a list/],
    ['{"type":"done","text":"so","audio_data":{}}', /an object and not base64/],
  ])('says what is wrong with %s', (text, problem) => {
    const event = decodeServerEvent(text);
    expect(event).toMatchObject({ kind: 'malformed' });
    expect(event.kind === 'malformed' && event.problem).toMatch(problem);
  });
});

const usage = {
  total_tokens: 114,
  input_tokens: 108,
  output_tokens: 6,
  input_token_details: { text_tokens: 25, audio_tokens: 72, vision_tokens: 11 },
  output_token_details: { text_tokens: 2, audio_tokens: 4 },
};
const readUsage = { inputText: 25, inputAudio: 72, inputVision: 11, outputText: 2, outputAudio: 4 };

function metricsOf(fields: string): Metrics | undefined {
  const event = decodeServerEvent(`{"type":"response.output.delta","kind":"listen",${fields}}`);
  if (event.kind !== 'listen') throw new Error(event.kind);
  return event.metrics;
}

describe('the token usage of newer servers', () => {
  it('is read in both dialects, and gives the context where no other field does', () => {
    const fields = { usage, chunk_usage: usage, chunk_index: 3 };
    const shared = { usage: readUsage, stepUsage: readUsage, stepIndex: 3 };
    const metrics = { contextTokens: 110, values: {}, ...shared };
    for (const type of ['response.listen', 'session.created', 'session.closed'])
      expect(read({ type, ...fields })).toMatchObject({ metrics });
    expect(metricsOf(`"usage":${JSON.stringify(usage)},"chunk_index":0`)?.stepIndex).toBe(0);
  });

  it('yields to the context that the server measures, unless that is 0', () => {
    const text = JSON.stringify(usage);
    const context = (kv: number) =>
      metricsOf(`"usage":${text},"metrics":{"kv_cache_length":${kv}}`)?.contextTokens;
    expect([context(90), context(0)]).toEqual([90, 110]);
  });

  it('may count images and video separately', () => {
    const apart =
      '{"input_token_details":{"image_tokens":64,"video_tokens":128,"cached_tokens":0}}';
    expect(metricsOf(`"chunk_usage":${apart}`)?.stepUsage).toEqual({ inputVision: 192 });
  });

  it.each(['-1', '1e308', '1e999', '10000001', '1.5', '"12"', 'null', 'true', '[7]', '{}'])(
    'ignores the count %s',
    (value) => {
      const details = `{"text_tokens":${value},"audio_tokens":${value},"vision_tokens":${value}}`;
      const counted = `{"input_token_details":${details},"output_token_details":${details}}`;
      const fields = `"usage":${counted},"chunk_usage":${counted},"chunk_index":${value}`;
      expect(metricsOf(fields)).toBeUndefined();
    },
  );

  it.each(['7', '"many"', 'null', '[]', '{}', '{"input_token_details":3}', '{"total_tokens":9}'])(
    'ignores a usage that is %s',
    (value) => {
      expect(metricsOf(`"usage":${value},"chunk_usage":${value}`)).toBeUndefined();
    },
  );

  it('keeps valid counts beside invalid ones', () => {
    const half = '{"input_token_details":{"text_tokens":5,"audio_tokens":-3}}';
    const found = { contextTokens: 5, values: {}, usage: { inputText: 5 } };
    expect(metricsOf(`"usage":${half}`)).toEqual(found);
  });

  it('is written only with the first event of a step', () => {
    const metrics = { values: {}, usage: readUsage, stepUsage: readUsage, stepIndex: 3 };
    const audio = new Float32Array(1);
    const event = { kind: 'output', wire: 'unified', text: 'Hi', audio, metrics } as const;
    const write = (one: ServerEvent) =>
      server.encodeServerEvent(one, 'unified').map((frame): unknown => JSON.parse(frame));
    const [first, second] = write(event);
    const fields = { usage, chunk_usage: usage, chunk_index: 3 };
    expect([first, ...write({ ...event, text: undefined })]).toMatchObject([fields, fields]);
    for (const field of ['usage', 'chunk_usage', 'chunk_index'])
      expect(second).not.toHaveProperty(field);
  });
});

const rawCall = (part: object, id: unknown = 'tc_1') =>
  read({ type: 'response.tool_call.args.raw', tool_call_id: id, raw: part });
const asked = (form: 'raw' | 'done', args = {}) => ({
  kind: 'toolCall',
  call: 'tc_1',
  ask: { form, name: 'add', args },
});

describe('a tool call in a talk', () => {
  it('is read in the form of either draft', () => {
    expect(rawCall({ name: 'add', arguments: '{"a":1}' })).toMatchObject(asked('raw', { a: 1 }));
    expect(rawCall({ name: 'add' })).toMatchObject(asked('raw'));
    const call = { name: 'add', arguments: { a: 1 } };
    const done = { type: 'response.tool_call.done', tool_call_id: 'tc_1', call };
    expect(read(done)).toMatchObject(asked('done', { a: 1 }));
  });

  it('can be aborted', () => {
    const event = read({ type: 'response.tool_call.abort', tool_call_id: 'tc_1' });
    expect(event).toMatchObject({ kind: 'toolCall', call: 'tc_1' });
    expect(event).not.toHaveProperty('ask');
  });

  it.each([
    ['malformed', 'without an id', rawCall({ name: 'add' }, '')],
    ['malformed', 'with a long id', rawCall({ name: 'add' }, 'x'.repeat(201))],
    ['malformed', 'with a number as its id', rawCall({ name: 'add' }, 7)],
    ['malformed', 'without a name', rawCall({ arguments: '{}' })],
    ['malformed', 'with a long name', rawCall({ name: 'x'.repeat(129) })],
    ['malformed', 'with arguments that are not JSON', rawCall({ name: 'add', arguments: '{' })],
    ['malformed', 'with a list as its arguments', rawCall({ name: 'add', arguments: [1] })],
    [
      'malformed',
      'with 70 kB of arguments',
      rawCall({ name: 'add', arguments: { a: 'x'.repeat(70_000) } }),
    ],
    ['malformed', 'that is aborted without an id', read({ type: 'response.tool_call.abort' })],
    // These events stay unknown, and only the inspector shows them.
    ['unknown', 'that the server could not parse', rawCall({ error: 'invalid XML' })],
    ['unknown', 'in parts', read({ type: 'response.tool_call.args.delta', delta: 'x' })],
  ])('is read as %s if it comes %s', (kind, _what, event) => {
    expect(event.kind).toBe(kind);
  });
});

describe('the result of a tool call', () => {
  const result = { kind: 'toolResult', call: 'tc_1', text: 'It is 3.' } as const;

  it.each(['raw', 'done'] as const)('reaches the server in the form of %s', (form) => {
    const frame = client.encodeClientEvent({ ...result, form }, 'unified');
    expect(server.decodeClientEvent(frame, 'unified')).toEqual({ ...result, form });
  });

  it('cannot be written in the legacy dialect', () => {
    const encode = () => client.encodeClientEvent({ ...result, form: 'raw' }, 'legacy');
    expect(encode).toThrow('no tools');
  });
});
