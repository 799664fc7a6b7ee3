import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import {
  createClientCodec,
  encodeOlderChatRequest,
} from '../../../../shared/protocol/client-codec.ts';
import { createOlderChatCodec } from '../../../../shared/protocol/server-codec.ts';

const server = createOlderChatCodec(bufferBase64);
const { decodeServerEvent } = createClientCodec(bufferBase64);

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
    expect(Object.keys(JSON.parse(text) as object)).toEqual([
      'messages',
      'streaming',
      'generation',
      'tts',
    ]);
    expect(server.decodeRequest(text)).toMatchObject({ kind: 'chat', ...turn });
  });

  it('may be written as deployed servers accept it', () => {
    const content = [{ type: 'smell' }, { type: 'text', text: 'Hello' }];
    const request = { messages: [{ role: 'user', content }], streaming: 1 };
    expect(server.decodeRequest(JSON.stringify(request))).toMatchObject({
      kind: 'chat',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      streaming: true,
    });
  });

  it.each([
    ['hello', 'bad_json', 'the frame is not a JSON object'],
    ['{}', 'missing_field', 'input.messages field is required'],
    ['{"audio":"AAAAPw=="}', 'missing_field', 'input.messages field is required'],
    ['{"messages":[]}', 'invalid_payload', 'input.messages must not be empty'],
  ])('is refused if it contains no question: %s', (text, code, message) => {
    expect(server.decodeRequest(text)).toEqual({ kind: 'problem', code, message });
  });
});

describe('an answer of the older chat API', () => {
  it('is read like other answers', () => {
    const audio = new Float32Array(3).fill(0.25);
    expect(decodeServerEvent(server.encodePrefill(42))).toMatchObject({
      kind: 'created',
      promptLength: 42,
    });
    const chunk = server.encodeChunk({ kind: 'output', wire: 'legacy', text: 'Hel', audio });
    expect(decodeServerEvent(chunk)).toMatchObject({ kind: 'output', text: 'Hel', audio });
    const done = server.encodeDone({ kind: 'done', text: 'Hello' }, { input: 42, generated: 2 });
    expect(decodeServerEvent(done)).toMatchObject({
      kind: 'done',
      text: 'Hello',
      metrics: { contextTokens: 44, values: { generated_tokens: 2, input_tokens: 42 } },
    });
    expect(decodeServerEvent(server.encodeError('Worker busy'))).toMatchObject({
      kind: 'error',
      message: 'Worker busy',
    });
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

  it('has only the fields that the server sent', () => {
    const read = (frame: object) => decodeServerEvent(JSON.stringify(frame));
    expect(read({ type: 'prefill_done', input_tokens: 4 })).toEqual({
      kind: 'created',
      promptLength: 4,
    });
    const sound = { audio_data: 'AAAAPw==' };
    expect(read({ type: 'chunk', text_delta: 'Hi', ...sound })).toEqual({
      kind: 'output',
      wire: 'legacy',
      text: 'Hi',
      audio: Float32Array.of(0.5),
    });
    const tokens = { generated_tokens: 2, input_tokens: 4 };
    expect(read({ type: 'done', text: 'Hi', ...sound, ...tokens })).toEqual({
      kind: 'done',
      text: 'Hi',
      audio: Float32Array.of(0.5),
      metrics: { contextTokens: 6, values: tokens },
    });
  });

  it('has no text or sound where those are empty or missing', () => {
    const chunk = decodeServerEvent('{"type":"chunk","text_delta":"","audio_data":""}');
    for (const field of ['text', 'audio']) expect(chunk).not.toHaveProperty(field);
    const sound = decodeServerEvent('{"type":"chunk","audio_data":"AAAAPw=="}');
    expect(sound).not.toHaveProperty('text');
    const done = decodeServerEvent('{"type":"done","text":"Hi","audio_data":""}');
    expect(done).not.toHaveProperty('audio');
  });

  it('has a context size only with both token counts', () => {
    const made = decodeServerEvent('{"type":"done","generated_tokens":2}');
    if (made.kind !== 'done') throw new Error(made.kind);
    expect(made.metrics).toEqual({ values: { generated_tokens: 2 } });
    expect(Object.keys(made.metrics?.values ?? {})).toEqual(['generated_tokens']);
    const read = decodeServerEvent('{"type":"done","input_tokens":2}');
    expect(read).toEqual({ kind: 'done', text: '' });
  });

  it('may leave out everything but its type', () => {
    expect(decodeServerEvent('{"type":"done"}')).toMatchObject({ kind: 'done', text: '' });
    expect(decodeServerEvent('{"type":"chunk"}')).toMatchObject({ kind: 'output' });
    expect(decodeServerEvent('{"type":"prefill_done"}')).toMatchObject({ kind: 'created' });
  });
});
