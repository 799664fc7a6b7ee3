import { describe, expect, it } from 'vitest';
import { setGatewayScene, silence, spokenTo } from './gateway-client.ts';

const append = { kind: 'append', audio: silence(1000) } as const;

describe('the documented profile', () => {
  const scene = (options = {}) => setGatewayScene({ profile: 'documented', ...options });

  it('answers invalid input with an error and continues', () => {
    const { goLive, step } = scene();
    const visitor = goLive('audio');
    visitor.caller.receive('{"kind":"nonsense"}');
    expect(visitor.news()).toMatchObject([
      { kind: 'error', code: 'unknown_event', type: 'client_error' },
    ]);
    visitor.ask({ kind: 'append', audio: silence(200) });
    expect(visitor.news()).toMatchObject([{ kind: 'error', code: 'invalid_payload' }]);
    visitor.ask({ ...append, maxSlices: 10 });
    expect(visitor.news()).toMatchObject([{ kind: 'error', code: 'invalid_payload' }]);
    visitor.ask({ kind: 'chat', messages: [] });
    expect(visitor.news()).toMatchObject([{ kind: 'error', code: 'missing_field' }]);
    visitor.ask({ kind: 'configure', settings: {} });
    expect(visitor.news()).toMatchObject([{ kind: 'error', code: 'invalid_event' }]);
    expect(visitor.closed).toBeUndefined();
    expect(step(visitor)).toMatchObject([{ kind: 'listen' }]);
  });

  it('is not ready before it has created the session', () => {
    const { enter } = scene({ workers: 1 });
    const [first, queued] = [enter('audio'), enter('audio')];
    for (const visitor of [first, queued]) {
      visitor.news();
      visitor.ask(append);
      expect(visitor.news()).toMatchObject([{ kind: 'error', code: 'not_ready' }]);
    }
    first.ask({ kind: 'configure', settings: {} });
    first.ask(append);
    expect(first.news()).toMatchObject([{ kind: 'error', code: 'not_ready' }]);
    expect(first.closed).toBeUndefined();
  });

  it('closes with 1003 on invalid JSON and binary frames', () => {
    for (const frame of ['{"kind":', undefined]) {
      const { goLive } = scene();
      const visitor = goLive();
      visitor.caller.receive(frame);
      expect(visitor.closed?.code).toBe(1003);
      expect(visitor.news()).toEqual([]);
    }
  });

  it('answers the other dialect with unknown_event and stays open', () => {
    const { enter } = scene();
    const visitor = enter();
    visitor.caller.receive('{"kind":"configure","dialect":"legacy","settings":{}}');
    expect(visitor.last('error')?.code).toBe('unknown_event');
    expect(visitor.closed).toBeUndefined();
  });

  it('silently drops old appends when too many wait', () => {
    const { goLive, clock } = scene({ stepMs: 1000 });
    const visitor = goLive();
    for (let nr = 0; nr < 12; nr += 1) visitor.ask({ ...append, inputId: `${nr}` });
    clock.advance(20_000);
    expect(visitor.all('listen')).toHaveLength(5);
    expect(visitor.all('error')).toHaveLength(0);
  });

  it('does not echo input ids nor send its time', () => {
    const { goLive, step } = scene();
    const visitor = goLive();
    const [listen] = step(visitor, { inputId: 'mine' });
    expect(listen).toMatchObject({ kind: 'listen' });
    expect(listen).not.toHaveProperty('inputId');
    expect(listen).not.toHaveProperty('serverTime');
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
    const visitor = goLive();
    const fills: (number | undefined)[] = [];
    for (let nr = 0; visitor.closed === undefined && nr < 20; nr += 1) {
      step(visitor);
      fills.push(visitor.last('listen')?.metrics?.contextTokens);
    }
    expect(fills.slice(0, 3)).toEqual([32, 44, 56]);
    expect(visitor.last('closed')?.reason).toBe('context_full');
    expect(visitor.closed?.code).toBe(1000);
    expect(fills.at(-1)).toBeGreaterThanOrEqual(100);
  });

  it('takes any mode, unknown ones for video', () => {
    const { gateway, goLive, options, clock } = scene();
    expect(gateway.admit('nonsense')).toMatchObject({ accepted: true });
    const visitor = goLive('nonsense');
    clock.advance(options.sessionSeconds.video * 1000);
    expect(visitor.last('closed')?.reason).toBe('timeout');
  });
});

describe('the deployed profile', () => {
  const bad: readonly [string, string | undefined][] = [
    ['not JSON', '{"kind":'],
    ['a binary frame', undefined],
    ['an unknown event', '{"kind":"nonsense"}'],
    ['the legacy configure', '{"kind":"configure","dialect":"legacy","settings":{}}'],
  ];

  it.each(bad)('ends the session on %s', (_what, frame) => {
    const { enter, clock } = setGatewayScene();
    const visitor = enter('audio');
    clock.advance(100);
    visitor.caller.receive(frame);
    clock.advance(40);
    expect(visitor.last('closed')).toMatchObject({ reason: 'backend_error' });
    expect(visitor.last('closed')?.diagnostic).toMatch(/\w+/);
    expect(visitor.closed?.code).toBe(1000);
    expect(visitor.all('error')).toEqual([]);
  });

  it('legacy: silently ignores session.init', () => {
    const { enter, clock } = setGatewayScene({ dialect: 'legacy' });
    const visitor = enter('audio');
    visitor.caller.receive('{"type":"session.init","payload":{}}');
    clock.advance(5000);
    expect(visitor.kinds).toEqual(['admitted']);
    expect(visitor.closed).toBeUndefined();
  });

  it('answers every append in order and echoes its id and the time', () => {
    const { goLive, clock } = setGatewayScene({ stepMs: 1000 });
    const visitor = goLive();
    for (let nr = 0; nr < 12; nr += 1) visitor.ask({ ...append, inputId: `id ${nr}` });
    clock.advance(20_000);
    expect(visitor.all('listen').map(({ inputId }) => inputId)).toEqual(
      Array.from({ length: 12 }, (_, nr) => `id ${nr}`),
    );
    expect(visitor.frames.slice(-12).map(({ at }) => at / 1000)).toEqual(
      Array.from({ length: 12 }, (_, nr) => nr + 2),
    );
    expect(visitor.last('listen')?.serverTime).toBe(1_714_200_013_000);
  });

  it('counts the time limit from the worker on', () => {
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
    const visitor = goLive();
    for (let nr = 0; nr < 10; nr += 1) step(visitor);
    const fills = visitor.all('listen').map(({ metrics }) => metrics?.contextTokens ?? 0);
    expect(fills).toEqual([32, 44, 56, 68, 80, 92, 60, 72, 84, 96]);
    expect(visitor.last('listen')?.metrics?.values).toMatchObject({ kv_cache_length: 96 });
    expect(visitor.closed).toBeUndefined();
  });

  it('refuses an unknown mode before the connection opens', () => {
    const { gateway } = setGatewayScene();
    expect(gateway.admit('nonsense')).toMatchObject({ accepted: false, status: 403 });
    expect(gateway.admit(undefined)).toMatchObject({ accepted: true });
  });

  it('has no limit in chat', () => {
    const { goLive, clock } = setGatewayScene();
    const visitor = goLive('chat');
    clock.advance(3_600_000);
    expect(visitor.closed).toBeUndefined();
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
      const visitor = goLive();
      visitor.ask({ kind: 'append', audio: spokenTo });
      visitor.ask({ kind: 'close', reason });
      expect(visitor.news()).toMatchObject([{ kind: 'closed', reason: confirmed }]);
      const cut = dialect === 'legacy' && profile === 'deployed';
      expect([visitor.closed?.code, visitor.wasCut]).toEqual(
        cut ? [undefined, true] : [1000, false],
      );
      visitor.ask({ kind: 'append', audio: silence(1000) });
      clock.advance(5000);
      expect(visitor.news()).toEqual([]);
    }
  });

  it('is possible while waiting', () => {
    const { enter } = setGatewayScene({ workers: 1 });
    enter();
    const waiting = enter();
    waiting.ask({ kind: 'close', reason: 'user_stop' });
    expect(waiting.kinds).toEqual(['queued', 'closed']);
  });
});
