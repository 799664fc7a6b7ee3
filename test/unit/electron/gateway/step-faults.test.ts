import { describe, expect, it } from 'vitest';
import type { Fault, Garbage } from '../../../../electron/gateway/gateway-options.ts';
import { type GatewayClient, setGatewayScene, silence, spokenTo } from './gateway-client.ts';

const withFault = (fault: Fault, options = {}) => setGatewayScene({ faults: [fault], ...options });

describe('a scripted fault', () => {
  it('delay: delays every answer within the jitter, in order', () => {
    const { enter, clock } = withFault({ kind: 'delay', ms: 500, jitterMs: 400 }, { stepMs: 100 });
    const client = enter('audio');
    expect(client.frames).toEqual([]);
    client.ask({ kind: 'configure', settings: {} });
    clock.advance(100);
    for (let nr = 0; nr < 20; nr += 1) {
      client.ask({ kind: 'append', audio: silence(250), inputId: `${nr}` });
    }
    clock.advance(5000);
    expect(client.all('listen').map(({ inputId }) => Number(inputId))).toEqual([
      ...Array.from({ length: 20 }).keys(),
    ]);
    const late = client.frames.slice(2).map(({ at }, nr) => at - (nr + 2) * 100);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...late)).toBeLessThanOrEqual(900);
    expect(new Set(late.map(Math.round)).size).toBeGreaterThan(5);
  });

  it('delay: the close does not overtake earlier messages', () => {
    const { goLive, enter, clock } = withFault({ kind: 'delay', ms: 500 });
    goLive();
    const client = enter();
    client.ask({ kind: 'close', reason: 'x' });
    expect(client.closed).toBeUndefined();
    clock.advance(500);
    expect(client.kinds).toEqual(['admitted', 'closed']);
    expect(client.closed).toMatchObject({ at: 700, code: 1000 });
  });

  it('lateSound: as with the C++ server, sound comes this long after its text, in order', () => {
    const { goLive, step, clock } = withFault(
      { kind: 'lateSound', ms: 700, jitterMs: 500 },
      { profile: 'llama-omni' },
    );
    const client = goLive();
    step(client, { audio: spokenTo });
    for (let nr = 0; nr < 6; nr += 1) step(client);
    clock.advance(5000);
    const timesOf = (part: 'text' | 'audio') =>
      client.events.flatMap((event, nr) =>
        event.kind === 'output' && event[part] !== undefined
          ? [client.frames[nr]?.at ?? Number.NaN]
          : [],
      );
    const [texts, sounds] = [timesOf('text'), timesOf('audio')];
    expect(sounds).toHaveLength(texts.length);
    const late = sounds.map((at, nr) => at - (texts[nr] ?? 0));
    expect(Math.min(...late)).toBeGreaterThanOrEqual(200);
    expect(late[0]).toBeLessThanOrEqual(1200);
    expect(sounds).toEqual(sounds.toSorted((a, b) => a - b));
  });

  it('lostListens: as with the C++ server, this share of the listens never comes', () => {
    const { goLive, step } = withFault(
      { kind: 'lostListens', share: 0.3 },
      { profile: 'llama-omni' },
    );
    const client = goLive();
    for (let nr = 0; nr < 100; nr += 1) step(client);
    expect(client.all('listen').length).toBeGreaterThan(50);
    expect(client.all('listen').length).toBeLessThan(90);
  });

  it('shortFirstChunk: limits the first sound of each turn', () => {
    const { goLive, step } = withFault({ kind: 'shortFirstChunk', ms: 120 });
    const client = goLive();
    for (let turn = 0; turn < 2; turn += 1) {
      step(client, { audio: spokenTo });
      for (let nr = 0; nr < 6; nr += 1) step(client);
    }
    const lengths = client.all('output').map(({ audio }) => audio?.length);
    expect(lengths.filter((length) => length === 2880)).toHaveLength(2);
    expect(lengths[0]).toBe(2880);
    expect(lengths[1]).toBe(24_000);
  });

  it('stall: sends nothing from that step on, with the connection open', () => {
    const { goLive, step } = withFault({ kind: 'stall', atStep: 3 });
    const client = goLive();
    for (let nr = 0; nr < 6; nr += 1) step(client);
    expect(client.all('listen')).toHaveLength(2);
    expect(client.closed).toBeUndefined();
    client.ask({ kind: 'close', reason: 'user_stop' });
    expect(client.closed?.code).toBe(1000);
  });

  it('drop: cuts the connection before that step is answered, and frees the worker', () => {
    const { goLive, step, enter } = withFault({ kind: 'drop', atStep: 2 }, { workers: 1 });
    const client = goLive();
    const next = enter();
    for (let nr = 0; nr < 4; nr += 1) step(client);
    expect(client.all('listen')).toHaveLength(1);
    expect(client.wasCut).toBe(true);
    expect(client.closed).toBeUndefined();
    expect(next.kinds).toContain('admitted');
  });

  const kinds: readonly [Garbage, (client: GatewayClient, frame: string) => void][] = [
    ['text', (_, frame) => expect(() => JSON.parse(frame) as unknown).toThrow()],
    ['cutJson', (_, frame) => expect(() => JSON.parse(frame) as unknown).toThrow()],
    ['huge', (_, frame) => expect(frame.length).toBeGreaterThan(3_000_000)],
    ['unknownEvent', (_, frame) => expect(frame).toMatch(/"type":"response\.unit\.started"/)],
    ['textAsNumber', (_, frame) => expect(frame).toMatch(/"text":42/)],
    ['brokenBase64', (_, frame) => expect(frame).toMatch(/"audio":"@@/)],
    ['nan', (client) => expect(client.last('output')?.audio?.every(Number.isNaN)).toBe(true)],
    ['binary', (client) => expect(client.binaries).toHaveLength(1)],
  ];

  it.each(kinds)('garbage: %s replaces the answer', (what, check) => {
    for (const dialect of ['unified', 'legacy'] as const) {
      const fault: Fault = { kind: 'garbage', atStep: 1, what };
      const { goLive, clock } = withFault(fault, { dialect });
      const client = goLive();
      const before = client.frames.length;
      client.ask({ kind: 'append', audio: silence(1000) });
      clock.advance(200);
      const frames = client.frames.slice(before);
      expect(frames.length + client.binaries.length).toBe(1);
      check(client, frames[0]?.text ?? '');
      const after = client.frames.length;
      client.ask({ kind: 'append', audio: silence(1000) });
      clock.advance(200);
      expect(client.frames.slice(after)).toHaveLength(1);
      expect(client.closed).toBeUndefined();
    }
  });

  it.each([
    ['inference_error', undefined],
    ['worker_busy', 1013],
    ['service_unavailable', 1013],
    ['worker_connect_failed', 1013],
    ['queue_full', 1013],
    ['session_failed', 1000],
  ])('error: %s comes instead of the answer and closes with %s', (code, closeCode) => {
    const { goLive, step } = withFault({ kind: 'error', atStep: 2, code });
    const client = goLive();
    step(client);
    const reply = step(client);
    expect(reply[0]).toMatchObject({ kind: 'error', code, type: 'server_error' });
    expect(reply.map(({ kind }) => kind)).toEqual(['error']);
    expect(client.closed?.code).toBe(closeCode);
  });

  it('handover403: admits, fails and closes, all within 40 ms', () => {
    const { enter, clock } = withFault({ kind: 'handover403', session: 1 }, { workers: 1 });
    const [client, next] = [enter(), enter()];
    client.ask({ kind: 'configure', settings: {} });
    clock.advance(40);
    expect(client.kinds).toEqual(['admitted', 'error']);
    expect(client.last('error')).toMatchObject({ code: 'session_failed' });
    expect(client.last('error')?.message).toMatch(/403/);
    expect(client.closed?.code).toBe(1000);
    expect(next.kinds).toEqual(['queued', 'admitted']);
    expect(next.closed).toBeUndefined();
  });

  it('neverCreated: admits, takes the settings and sends nothing more', () => {
    const { goLive, clock } = withFault({ kind: 'neverCreated' });
    const client = goLive();
    clock.advance(60_000);
    expect(client.kinds).toEqual(['admitted']);
    expect(client.closed).toBeUndefined();
  });

  it('workerDown: stays in the queue while others get workers', () => {
    const { enter, clock } = withFault({ kind: 'workerDown', session: 1 }, { workers: 1 });
    const [queued, other] = [enter(), enter()];
    clock.advance(1_000_000);
    expect(queued.kinds).not.toContain('admitted');
    expect(queued.all('queued').length).toBeGreaterThan(300);
    expect(queued.closed).toBeUndefined();
    expect(other.kinds[0]).toBe('admitted');
  });

  it('refuse: answers the upgrade with this status, by connection number', () => {
    const { gateway } = withFault({ kind: 'refuse', status: 502, body: 'bad', session: 2 });
    expect(gateway.admit('audio')).toEqual({ accepted: true, session: 1 });
    expect(gateway.admit('audio')).toEqual({ accepted: false, status: 502, body: 'bad' });
    expect(gateway.admit('audio')).toEqual({ accepted: true, session: 3 });
  });

  it('counts a connection once, at its admission', () => {
    const { goLive, step } = withFault({ kind: 'stall', atStep: 1, session: 2 });
    expect(step(goLive())).toHaveLength(1);
    expect(step(goLive())).toHaveLength(0);
  });

  it('identifies each connection by its admission number, even if one never opens', () => {
    const { gateway, goLive, step } = withFault({ kind: 'stall', atStep: 1, session: 2 });
    gateway.admit('audio');
    expect(step(goLive())).toHaveLength(0);
    expect(step(goLive())).toHaveLength(1);
  });

  it('shutdown: ends with server_shutdown after its time', () => {
    const { goLive, clock } = withFault({ kind: 'shutdown', afterMs: 5000 });
    const client = goLive();
    clock.advance(10_000);
    expect(client.last('closed')?.reason).toBe('server_shutdown');
    expect(client.closed).toMatchObject({ at: 5000, code: 1001 });
  });

  it('applies only to its session', () => {
    const { goLive, step } = withFault({ kind: 'stall', atStep: 1, session: 2 });
    const [first, second] = [goLive(), goLive()];
    expect(step(first)).toHaveLength(1);
    expect(step(second)).toHaveLength(0);
  });
});
