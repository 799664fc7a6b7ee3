import { describe, expect, it } from 'vitest';
import { openLiveHarness } from './backend-harness.ts';
import { silence } from './gateway-client.ts';

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

  it('are joined instead if they fit into one step', () => {
    const { append, backend, client } = openLiveHarness();
    append('a');
    for (const id of ['b', 'c', 'd']) append(id, { audio: silence(400) });
    backend.listen(1);
    expect(client.last('listen')?.metrics?.values).toMatchObject({ appends_joined: 1 });
    expect(bytesOf(backend.inputs[1]?.['audio'])).toBe(800 * 16 * 4);
  });

  it('keep the interruption of an append that is dropped', () => {
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

  it('have no picture in a talk without video', () => {
    const { append, backend } = openLiveHarness('audio');
    append('a', { frames: [Uint8Array.of(0xff, 0xd8, 0xff)] });
    expect(backend.inputs[0]).not.toHaveProperty('video_frames');
  });
});

const bytesOf = (base64: unknown): number => Buffer.from(String(base64), 'base64').length;

describe('a step without an answer', () => {
  it('is not reported to the backend, which learns the time of every other step', () => {
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

  it('counts as a listen after 1.5 s, and the next append is sent', () => {
    const { advance, append, backend, stats, news } = openLiveHarness();
    append('a');
    append('b');
    advance(1499);
    expect(news()).toEqual([]);
    advance(1);
    expect(news()).toEqual(['a listen']);
    expect(backend.inputs).toHaveLength(2);
    expect(stats).toContainEqual({ kind: 'step', ms: 1500, isSilent: true });
  });

  it('may take three times the usual time', () => {
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

  it('ignores its answer when that comes late, during the next step', () => {
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

  it('ignores late answers also when two are late', () => {
    const { advance, append, backend, news } = openLiveHarness();
    append('a');
    backend.listen(1);
    for (const id of ['b', 'c', 'd']) append(id);
    advance(3000);
    news();
    backend.listen(2);
    expect(news()).toEqual([]);
    backend.listen(4);
    expect(news()).toEqual(['d listen']);
  });

  it('ends the session when it is the tenth in a row', () => {
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

  it('may also end with an empty text', () => {
    const { append, backend, news } = openLiveHarness();
    append('a');
    backend.done(1, '');
    expect(news()).toEqual(['a listen']);
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

  it.each([0, 2])('may give its first answer the number %d', (first) => {
    const { advance, append, backend, client } = openLiveHarness();
    let answered = 0;
    for (let second = 1; second <= 30; second += 1) {
      append(`${second}`);
      const step = backend.inputs.length;
      if (step > answered) backend.listen(step === 1 ? first : step);
      answered = step;
      advance(1000);
    }
    client.news();
    append('last');
    backend.listen(backend.inputs.length);
    expect(client.news()).toHaveLength(1);
  });

  it('keeps a word that the model says twice', () => {
    const { append, backend, client } = openLiveHarness();
    append('a');
    backend.listen(1);
    append('b');
    backend.text(2, ' no');
    backend.text(2, ' no');
    expect(client.all('output').map(({ text }) => text)).toEqual([' no', ' no']);
  });

  it('may repeat the listen of the step before', () => {
    const { append, backend, news } = openLiveHarness();
    append('a');
    append('b');
    append('c');
    backend.listen(1);
    backend.listen(1);
    expect(backend.inputs).toHaveLength(2);
    expect(news()).toEqual(['a listen']);
  });

  it.each([
    ['the same number always', () => 1],
    ['numbers that go back', (step: number) => 100 - step],
    ['numbers that jump', (step: number) => step * 7],
  ])('may number its answers with %s', (_, numberOf) => {
    const { advance, append, backend, client } = openLiveHarness();
    let silent = 0;
    for (let step = 1; step <= 20; step += 1) {
      append(`${step}`);
      const before = backend.inputs.length;
      backend.listen(numberOf(step));
      advance(1000);
      if (client.news().length === 0) silent += 1;
      expect(before).toBeGreaterThan(0);
    }
    advance(2000);
    expect(client.closed).toBeUndefined();
    expect(silent).toBeLessThanOrEqual(7);
    expect(new Set(client.all('listen').map(({ inputId }) => inputId)).size).toBeGreaterThan(18);
  });
});

describe('the context of a talk', () => {
  it('ends the session before the window slides', () => {
    const { append, backend, client } = openLiveHarness('audio', { contextTokens: 1000 });
    append('a');
    backend.text(1, 'Hello', { kv_cache_length: 900 });
    backend.done(1, 'Hello');
    expect(client.closed).toBeUndefined();
    append('b');
    backend.text(2, ' there', { kv_cache_length: 950 });
    backend.done(2, ' there');
    expect(client.last('closed')?.reason).toBe('context_full');
  });

  it('ends the session between answers if only a few steps are left', () => {
    const { append, backend, client } = openLiveHarness('audio', { contextTokens: 1000 });
    append('a');
    backend.listen(1, { kv_cache_length: 700 });
    expect(client.closed).toBeUndefined();
    append('b');
    backend.listen(2, { kv_cache_length: 800 });
    expect(client.last('closed')?.reason).toBe('context_full');
  });

  it('needs room for another step even if none has been measured', () => {
    const { append, backend, client } = openLiveHarness('audio', { contextTokens: 1000 });
    append('a');
    backend.text(1, 'Hello', { kv_cache_length: 970 });
    backend.done(1, 'Hello');
    expect(client.last('closed')?.reason).toBe('context_full');
  });

  it('is estimated if the server does not count it', () => {
    const { append, backend, client } = openLiveHarness('audio', { contextTokens: 1000 });
    let steps = 0;
    while (client.closed === undefined && steps < 200) {
      steps += 1;
      append(`${steps}`);
      backend.listen(steps);
    }
    expect(steps).toBeGreaterThan(30);
    expect(steps).toBeLessThan(80);
    expect(client.last('closed')?.reason).toBe('context_full');
  });

  it.each([-1, 0.5, 1e12])('ignores the impossible count %d', (tokens) => {
    const { append, backend, client } = openLiveHarness();
    append('a');
    backend.listen(1, { kv_cache_length: tokens });
    expect(client.closed).toBeUndefined();
    const counted = client.last('listen')?.metrics?.contextTokens ?? 0;
    expect(counted).toBeGreaterThan(0);
    expect(counted).toBeLessThan(200);
  });
});
