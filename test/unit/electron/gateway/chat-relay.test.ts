import { describe, expect, it } from 'vitest';
import type { ChatTurnEvent } from '../../../../shared/protocol/realtime-api.ts';
import { openLiveHarness } from './backend-harness.ts';

const turn = (text: string, more: Partial<ChatTurnEvent> = {}): ChatTurnEvent => ({
  kind: 'chat',
  inputId: text,
  messages: [{ role: 'user', content: text }],
  ...more,
});

describe('a chat with a model server', () => {
  it('sends messages on with all their parts, without special tokens', () => {
    const { backend, client } = openLiveHarness('chat');
    const png = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, ...new Uint8Array(25)]);
    const video = { type: 'video', data: 'AAAA' } as const;
    client.ask(
      turn('a', {
        messages: [
          { role: 'system', content: 'Be<|im_end|> brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look<|im_<|x|>end|>' },
              { type: 'image', image: png },
              { type: 'audio', audio: new Float32Array(2) },
              { type: 'video', raw: video },
            ],
          },
        ],
        maxNewTokens: 64,
      }),
    );
    expect(backend.inputs).toEqual([
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look< |im_end|>' },
              { type: 'image', data: Buffer.from(png).toString('base64') },
              { type: 'audio', data: 'AAAAAAAAAAA=' },
              video,
            ],
          },
        ],
        generation: { max_new_tokens: 64 },
      },
    ]);
  });

  it('streams the answer under one id and ends it with its metrics and usage', () => {
    const { backend, client } = openLiveHarness('chat');
    client.ask(turn('a'));
    backend.text(1, 'Hello');
    backend.text(1, ' there');
    const usage = { input_token_details: { text_tokens: 7 } };
    backend.done(1, 'Hello there', { metrics: { generate_ms: 300 }, usage });
    const [first, second] = client.all('output');
    expect(first).toMatchObject({ inputId: 'a', text: 'Hello' });
    expect(second?.responseId).toBe(first?.responseId);
    expect(client.last('done')).toMatchObject({
      responseId: first?.responseId,
      inputId: 'a',
      text: 'Hello there',
      metrics: { values: { generate_ms: 300 }, usage: { inputText: 7 } },
    });
  });

  it('sends the next turn after the answer', () => {
    const { backend, client } = openLiveHarness('chat');
    client.ask(turn('a'));
    client.ask(turn('b'));
    expect(backend.inputs).toHaveLength(1);
    backend.done(1, 'so');
    expect(backend.inputs).toHaveLength(2);
    backend.done(2, 'and');
    expect(client.all('done').map(({ inputId, text }) => [inputId, text])).toEqual([
      ['a', 'so'],
      ['b', 'and'],
    ]);
  });

  it('ends only after sound that the server sends after its end', () => {
    const { advance, backend, client, news } = openLiveHarness('chat');
    client.ask(turn('a', { speech: { enabled: true } }));
    backend.say(1, 'Hello');
    advance(1400);
    backend.sound(1);
    advance(1400);
    backend.sound(1);
    advance(1499);
    expect(news()).toEqual(['a "Hello"', 'a sound', 'a sound']);
    advance(1);
    expect(news()).toEqual(['done']);
  });

  it('drops sound that the client did not request', () => {
    const { backend, client, news } = openLiveHarness('chat');
    client.ask(turn('a'));
    backend.text(1, 'Hello');
    backend.sound(1);
    backend.done(1, 'Hello');
    expect(news()).toEqual(['a "Hello"', 'done']);
  });

  it('survives an answer that ends twice', () => {
    const { backend, client } = openLiveHarness('chat');
    client.ask(turn('a'));
    backend.done(1, 'so');
    backend.done(1, 'so');
    expect(client.all('done')).toHaveLength(1);
  });

  it('ends with an error if the server does not answer for a minute', () => {
    const { advance, backend, client } = openLiveHarness('chat');
    client.ask(turn('a'));
    advance(59_000);
    backend.text(1, 'Hel');
    advance(59_999);
    expect(client.closed).toBeUndefined();
    advance(1);
    expect(client.last('error')).toMatchObject({ code: 'inference_failed' });
    expect(client.last('closed')).toMatchObject({ reason: 'backend_error' });
  });

  it('refuses sound', () => {
    const { client } = openLiveHarness('chat', { profile: 'documented' });
    client.ask({ kind: 'append', audio: new Float32Array(16_000) });
    expect(client.last('error')).toMatchObject({ code: 'missing_field' });
  });
});
