import { describe, expect, it } from 'vitest';
import { setGatewayScene, silence, spokenTo } from './gateway-client.ts';

const append = { kind: 'append', audio: silence(1000) } as const;

describe('the documented profile', () => {
  const scene = (options = {}) => setGatewayScene({ profile: 'documented', ...options });

  it('answers invalid input with an error and continues', () => {
    const { goLive, step } = scene();
    const client = goLive('audio');
    client.caller.receive('{"kind":"nonsense"}');
    expect(client.news()).toMatchObject([
      { kind: 'error', code: 'unknown_event', type: 'client_error' },
    ]);
    client.ask({ kind: 'append', audio: silence(200) });
    expect(client.news()).toMatchObject([{ kind: 'error', code: 'invalid_payload' }]);
    client.ask({ ...append, maxSlices: 10 });
    expect(client.news()).toMatchObject([{ kind: 'error', code: 'invalid_payload' }]);
    client.ask({ kind: 'chat', messages: [] });
    expect(client.news()).toMatchObject([{ kind: 'error', code: 'missing_field' }]);
    client.ask({ kind: 'configure', settings: {} });
    expect(client.news()).toMatchObject([{ kind: 'error', code: 'invalid_event' }]);
    expect(client.closed).toBeUndefined();
    expect(step(client)).toMatchObject([{ kind: 'listen' }]);
  });

  it('answers not_ready before it has created the session', () => {
    const { enter } = scene({ workers: 1 });
    const [first, queued] = [enter('audio'), enter('audio')];
    for (const client of [first, queued]) {
      client.news();
      client.ask(append);
      expect(client.news()).toMatchObject([{ kind: 'error', code: 'not_ready' }]);
    }
    first.ask({ kind: 'configure', settings: {} });
    first.ask(append);
    expect(first.news()).toMatchObject([{ kind: 'error', code: 'not_ready' }]);
    expect(first.closed).toBeUndefined();
  });

  it('closes with 1003 on invalid JSON and binary frames', () => {
    for (const frame of ['{"kind":', undefined]) {
      const { goLive } = scene();
      const client = goLive();
      client.caller.receive(frame);
      expect(client.closed?.code).toBe(1003);
      expect(client.news()).toEqual([]);
    }
  });

  it('answers the other dialect with unknown_event and stays open', () => {
    const { enter } = scene();
    const client = enter();
    client.caller.receive('{"kind":"configure","dialect":"legacy","settings":{}}');
    expect(client.last('error')?.code).toBe('unknown_event');
    expect(client.closed).toBeUndefined();
  });

  it('counts the time limit from the connection, waiting included', () => {
    const { enter, goLive, clock } = scene({ workers: 1 });
    goLive('audio');
    const waiting = enter('video');
    clock.advance(299_000);
    expect(waiting.closed).toBeUndefined();
    clock.advance(1000);
    expect(waiting.last('closed')?.reason).toBe('timeout');
    expect(waiting.closed).toMatchObject({ at: 300_200, code: 1000 });
  });

  it('closes with context_full when the context is full', () => {
    const { goLive, step } = scene({ contextTokens: 100 });
    const client = goLive();
    const fills: (number | undefined)[] = [];
    for (let nr = 0; client.closed === undefined && nr < 20; nr += 1) {
      step(client);
      fills.push(client.last('listen')?.metrics?.contextTokens);
    }
    expect(fills.slice(0, 3)).toEqual([32, 44, 56]);
    expect(client.last('closed')?.reason).toBe('context_full');
    expect(client.closed?.code).toBe(1000);
    expect(fills.at(-1)).toBeGreaterThanOrEqual(100);
  });

  it('accepts any mode, and treats an unknown mode as video', () => {
    const { gateway, goLive, options, clock } = scene();
    expect(gateway.admit('nonsense')).toMatchObject({ accepted: true });
    const client = goLive('nonsense');
    clock.advance(options.sessionSeconds.video * 1000);
    expect(client.last('closed')?.reason).toBe('timeout');
  });
});

describe('the deployed profile', () => {
  const bad: readonly [string, string | undefined][] = [
    ['invalid JSON', '{"kind":'],
    ['a binary frame', undefined],
    ['an unknown event', '{"kind":"nonsense"}'],
    ['the legacy configure', '{"kind":"configure","dialect":"legacy","settings":{}}'],
  ];

  it.each(bad)('ends the session after %s', (_what, frame) => {
    const { enter, clock } = setGatewayScene();
    const client = enter('audio');
    clock.advance(100);
    client.caller.receive(frame);
    clock.advance(40);
    expect(client.last('closed')).toMatchObject({ reason: 'backend_error' });
    expect(client.last('closed')?.diagnostic).toMatch(/\w+/);
    expect(client.closed?.code).toBe(1000);
    expect(client.all('error')).toEqual([]);
  });

  it('answers every append in order and echoes its id and the time', () => {
    const { goLive, clock } = setGatewayScene({ stepMs: 1000 });
    const client = goLive();
    for (let nr = 0; nr < 12; nr += 1) client.ask({ ...append, inputId: `id ${nr}` });
    clock.advance(20_000);
    expect(client.all('listen').map(({ inputId }) => inputId)).toEqual(
      Array.from({ length: 12 }, (_, nr) => `id ${nr}`),
    );
    expect(client.frames.slice(-12).map(({ at }) => at / 1000)).toEqual(
      Array.from({ length: 12 }, (_, nr) => nr + 2),
    );
    expect(client.last('listen')?.serverTime).toBe(1_714_200_013_000);
  });

  it('counts the time limit from the assignment of a worker', () => {
    const { enter, clock } = setGatewayScene({
      workers: 1,
      sessionSeconds: { audio: 10, video: 20 },
    });
    const first = enter('audio');
    const second = enter('video');
    clock.advance(10_000);
    expect(first.last('closed')?.reason).toBe('timeout');
    expect(second.kinds.at(-1)).toBe('admitted');
    clock.advance(19_999);
    expect(second.closed).toBeUndefined();
    clock.advance(1);
    expect(second.last('closed')?.reason).toBe('timeout');
  });

  it('discards context instead of closing when it is full', () => {
    const { goLive, step } = setGatewayScene({ contextTokens: 100 });
    const client = goLive();
    for (let nr = 0; nr < 10; nr += 1) step(client);
    const fills = client.all('listen').map(({ metrics }) => metrics?.contextTokens ?? 0);
    expect(fills).toEqual([32, 44, 56, 68, 80, 92, 60, 72, 84, 96]);
    expect(client.last('listen')?.metrics?.values).toMatchObject({ kv_cache_length: 96 });
    expect(client.closed).toBeUndefined();
  });
});

describe('a requested end', () => {
  it.each([
    ['unified', 'user_stop', 'user_stop'],
    ['unified', '', 'client_closed'],
    ['legacy', 'user_stop', 'stopped'],
  ] as const)('is confirmed in %s after "%s" with %s', (dialect, reason, confirmed) => {
    for (const profile of ['documented', 'deployed'] as const) {
      const { goLive, clock } = setGatewayScene({ dialect, profile });
      const client = goLive();
      client.ask({ kind: 'append', audio: spokenTo });
      client.ask({ kind: 'close', reason });
      expect(client.news()).toMatchObject([{ kind: 'closed', reason: confirmed }]);
      const cut = dialect === 'legacy' && profile === 'deployed';
      expect([client.closed?.code, client.wasCut]).toEqual(cut ? [undefined, true] : [1000, false]);
      client.ask({ kind: 'append', audio: silence(1000) });
      clock.advance(5000);
      expect(client.news()).toEqual([]);
    }
  });
});
