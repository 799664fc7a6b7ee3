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

  it('shutdown: ends with server_shutdown after its time', () => {
    const { goLive, clock } = withFault({ kind: 'shutdown', afterMs: 5000 });
    const client = goLive();
    clock.advance(10_000);
    expect(client.last('closed')?.reason).toBe('server_shutdown');
    expect(client.closed).toMatchObject({ at: 5000, code: 1001 });
  });
});
