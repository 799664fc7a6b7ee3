import { describe, expect, it } from 'vitest';
import { openLiveHarness } from './backend-harness.ts';
import { silence } from './gateway-client.ts';
import type { ChatTurnEvent } from '../../../../shared/protocol/realtime-api.ts';

describe('the appends of a talk', () => {
  it('are sent to the server one at a time', () => {
    const { append, backend } = openLiveHarness();
    append('a');
    append('b');
    expect(backend.inputs).toHaveLength(1);
    backend.listen(1);
    expect(backend.inputs).toHaveLength(2);
  });

  it('are dropped, oldest first, when a third waits, and the client receives their number', () => {
    const { append, backend, client, stats, news } = openLiveHarness();
    for (const id of ['a', 'b', 'c', 'd']) append(id);
    backend.listen(1);
    expect(client.last('listen')?.metrics?.values).toMatchObject({ appends_dropped: 1 });
    backend.listen(2);
    backend.listen(3);
    expect(news()).toEqual(['a listen', 'c listen', 'd listen']);
    expect(client.last('listen')?.metrics?.values).not.toHaveProperty('appends_dropped');
    expect(stats).toContainEqual({ kind: 'late', what: 'dropped' });
  });

  it('are joined instead of dropped if they fit into one step', () => {
    const { append, backend, client } = openLiveHarness();
    append('a');
    for (const id of ['b', 'c', 'd']) append(id, { audio: silence(400) });
    backend.listen(1);
    expect(client.last('listen')?.metrics?.values).toMatchObject({ appends_joined: 1 });
    expect(bytesOf(backend.inputs[1]?.['audio'])).toBe(800 * 16 * 4);
  });

  it('keep the interruption of a dropped append', () => {
    const { append, backend } = openLiveHarness();
    append('a');
    append('b', { forceListen: true });
    append('c');
    append('d');
    backend.listen(1);
    expect(backend.inputs[1]).toMatchObject({ force_listen: true });
  });

  it('have only the newest picture, with its slices, and no id', () => {
    const { append, backend } = openLiveHarness('video');
    const jpeg = (last: number): Uint8Array =>
      Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 9, 0, 9, 3, last, 0xff, 0xd9);
    append('a', { frames: [jpeg(1), jpeg(2)], maxSlices: 2 });
    const [input] = backend.inputs;
    expect(input).toMatchObject({ max_slice_nums: 2 });
    expect(input?.['video_frames']).toEqual([Buffer.from(jpeg(2)).toString('base64')]);
    expect(input).not.toHaveProperty('input_id');
  });
});

const bytesOf = (base64: unknown): number => Buffer.from(String(base64), 'base64').length;

describe('a step without an answer', () => {
  it('is not reported to the backend, unlike the times of all steps with an answer', () => {
    const { advance, append, backend } = openLiveHarness('video');
    append('a', {
      frames: [Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 9, 0, 9, 3, 1, 0xff, 0xd9)],
    });
    advance(400);
    backend.listen(1);
    append('b');
    advance(1500);
    append('c');
    advance(300);
    backend.listen(3);
    expect(backend.steps).toEqual([
      [400, true],
      [300, false],
    ]);
  });

  it('is assumed only after three times the usual step time', () => {
    const { advance, append, backend, news } = openLiveHarness();
    for (const step of [1, 2, 3]) {
      append(`${step}`);
      advance(900);
      backend.listen(step);
    }
    news();
    append('slow');
    advance(2699);
    expect(news()).toEqual([]);
    advance(1);
    expect(news()).toEqual(['slow listen']);
  });

  it('has its answer ignored if the answer comes late, during the next step', () => {
    const { advance, append, backend, news } = openLiveHarness();
    append('a');
    backend.listen(1);
    append('b');
    advance(1500);
    append('c');
    append('d');
    news();
    backend.listen(2);
    expect(backend.inputs).toHaveLength(3);
    expect(news()).toEqual([]);
    backend.listen(3);
    expect(news()).toEqual(['c listen']);
    expect(backend.inputs).toHaveLength(4);
  });

  it('ends the session if it is the tenth in a row', () => {
    const { advance, append, client } = openLiveHarness();
    for (let step = 1; step <= 10; step += 1) {
      expect(client.closed).toBeUndefined();
      append(`${step}`);
      advance(1500);
    }
    expect(client.last('closed')).toMatchObject({
      reason: 'backend_error',
      diagnostic: 'the model server does not answer',
    });
  });
});

describe('a faulty server', () => {
  it('may send everything twice', () => {
    const { append, backend, news } = openLiveHarness();
    const twice = (frame: object): void => {
      backend.send(frame);
      backend.send(frame);
    };
    const delta = { type: 'response.output.delta', response_id: 'backend-1_resp_1' };
    append('a');
    append('b');
    twice({ ...delta, kind: 'text', text: 'Ha', server_send_ts: 1 });
    twice({ type: 'response.done', response_id: 'backend-1_resp_1', text: 'Ha' });
    expect(backend.inputs).toHaveLength(2);
    expect(news()).toEqual(['a "Ha"']);
  });
});

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

  it.each([
    // 17 MB as base64.
    ['200 s of sound', 200, 'Listen.'],
    // 15.4 MB, and 2.7 MB in 900,000 characters.
    ['180 s of sound and a long Chinese text', 180, '茶'.repeat(900_000)],
  ])(
    'is ended instead of sending %s, too much for the server, which is not lost',
    async (_what, seconds, text) => {
      const { accept, backend, client, enter } = openLiveHarness('chat');
      const audio = new Float32Array(seconds * 16_000);
      const content = [{ type: 'audio', audio } as const, { type: 'text', text } as const];
      client.ask(turn('a', { messages: [{ role: 'user', content }] }));
      expect(backend.inputs).toEqual([]);
      expect(client.last('closed')).toMatchObject({ reason: 'too_large' });
      const next = enter();
      backend.closes[0]?.answer(true);
      await new Promise(setImmediate);
      backend.socket.end({ kind: 'closed', code: 1000, reason: '' });
      accept();
      expect(next.kinds.at(-1)).toBe('admitted');
    },
  );

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

  it('ends only after the sound that the server sends after its end event', () => {
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

  it.each([
    ['without an end', false],
    ['with a late end', true],
  ])('asks the next question soon after an answer that failed %s', (_how, hasEnd) => {
    const { advance, backend, client, news } = openLiveHarness('chat');
    client.ask(turn('a'));
    backend.text(1, 'Hel');
    backend.send({ type: 'error', error: { code: 'oops', message: 'no memory' } });
    client.ask(turn('b'));
    if (hasEnd) backend.done(1, 'Hel');
    advance(1500);
    expect(backend.inputs).toHaveLength(2);
    backend.say(2, 'Hello');
    expect(news()).toEqual(['a "Hel"', 'error inference_failed', 'b "Hello"', 'done']);
    advance(60_000);
    expect(client.closed).toBeUndefined();
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

  it('may take three minutes without streaming, because nothing comes before the whole answer', () => {
    const { advance, backend, client, news } = openLiveHarness('chat');
    client.ask(turn('a', { streaming: false }));
    advance(179_999);
    backend.done(1, 'Hello');
    expect(news()).toEqual(['done']);
    client.ask(turn('b', { streaming: false }));
    advance(180_000);
    expect(client.last('closed')).toMatchObject({ reason: 'backend_error' });
  });
});
