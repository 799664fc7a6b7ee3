import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/adapters/system/buffer-base64.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { encodeOlderChatRequest } from '../../../../shared/protocol/encode-older-chat-request.ts';
import { createOlderChatCodec } from '../../../../shared/protocol/legacy/older-chat-codec.ts';

const server = createOlderChatCodec(bufferBase64);
const { decodeServerEvent } = createClientCodec(bufferBase64);

describe('a request of the older path', () => {
  it('is one frame without a type, and read as it was', () => {
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
});

describe('an answer of the older path', () => {
  it('is read as all others are', () => {
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
      metrics: { contextTokens: 44, figures: { generated_tokens: 2, input_tokens: 42 } },
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

  it('may leave out everything but its type', () => {
    expect(decodeServerEvent('{"type":"done"}')).toMatchObject({ kind: 'done', text: '' });
    expect(decodeServerEvent('{"type":"chunk"}')).toMatchObject({ kind: 'output' });
    expect(decodeServerEvent('{"type":"prefill_done"}')).toMatchObject({ kind: 'created' });
  });
});
