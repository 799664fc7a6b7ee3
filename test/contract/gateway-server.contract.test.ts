import { describe, expect, it } from 'vitest';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { fakeJpeg } from '../fakes/fake-pictures.ts';
import { spokenTo } from '../unit/electron/gateway/gateway-client.ts';
import { GatewayClient } from './gateway-server-client.ts';
import { gatewayHarness } from './gateway-server-harness.ts';

const { serve, speech } = gatewayHarness();

const both = (['documented', 'deployed'] as const).flatMap((profile) =>
  (['unified', 'legacy'] as const).map((dialect) => ({ profile, dialect })),
);

describe.each(both)('a $profile $dialect gateway on a real socket', ({ profile, dialect }) => {
  const dropsSilently = profile === 'deployed' && dialect === 'legacy';
  /** Deployed legacy gateways never send a close frame. */
  const endCode = (code: number): number => (dropsSilently ? 1006 : code);

  it('serves a client from the queue through an answer to the confirmed end', async () => {
    const url = await serve({ profile, dialect, workers: 1 });
    const client = new GatewayClient(`${url}?mode=video`, dialect);
    await client.received('admitted');
    const second = new GatewayClient(`${url}?mode=audio`, dialect);
    expect(await second.received('queued')).toMatchObject({
      stage: 'joined',
      position: 1,
      length: 1,
    });
    client.send({ kind: 'configure', settings: { instructions: 'Be brief.' } });
    expect((await client.received('created')).sessionId).toMatch(/^(sess|rt)_/);
    client.send({ kind: 'append', inputId: 'in 1', audio: spokenTo, frames: [fakeJpeg] });
    const output = await client.received('output');
    expect(output.text).toBe('Hello, I am');
    let samples = 0;
    for (let step = 2; client.kinds.filter((kind) => kind === 'listen').length < 2; step += 1) {
      client.send({ kind: 'append', inputId: `in ${step}`, audio: new Float32Array(16_000) });
      await client.next();
    }
    const listen = await client.received('listen', 2);
    const text = client.events.map((event) => (event.kind === 'output' && event.text) || '');
    expect(text.join('')).toMatch(
      /^Hello, I am the demonstration that lives inside Parley\. I can/,
    );
    for (const event of client.events) {
      if (event.kind === 'output') samples += event.audio?.length ?? 0;
    }
    const spoken = speech().clips.filter(({ id }) => id === 'hello' || id === 'see');
    expect(samples).toBe(spoken.reduce((sum, { audio }) => sum + audio.length, 4800));
    expect(listen.metrics?.contextTokens).toBeGreaterThan(100);
    const echoes = profile === 'deployed' && dialect === 'unified';
    expect(output.inputId).toBe(echoes ? 'in 1' : undefined);
    expect(output.serverTime !== undefined).toBe(echoes);
    client.send({ kind: 'close', reason: 'user_stop' });
    const closed = await client.received('closed');
    expect(closed.reason).toBe(dialect === 'legacy' ? 'stopped' : 'user_stop');
    expect((await client.ended).code).toBe(endCode(1000));
    await second.received('admitted');
    expect(client.events.filter(({ kind }) => kind === 'unknown' || kind === 'malformed')).toEqual(
      [],
    );
  });

  it('handles invalid JSON as its profile does', async () => {
    const url = await serve({ profile, dialect });
    const client = new GatewayClient(`${url}?mode=audio`, dialect);
    await client.received('admitted');
    client.socket.send('{"type":');
    expect((await client.ended).code).toBe(profile === 'documented' ? 1003 : endCode(1000));
    expect(client.kinds.includes('closed')).toBe(profile === 'deployed' && !dropsSilently);
    const binary = new GatewayClient(url, dialect);
    await binary.received('admitted');
    binary.socket.send(Buffer.from('{}'), { binary: true });
    expect((await binary.ended).code).toBe(profile === 'documented' ? 1003 : endCode(1000));
  });

  it('handles the other dialect’s configure as its profile does', async () => {
    const url = await serve({ profile, dialect });
    const other = dialect === 'unified' ? 'legacy' : 'unified';
    const client = new GatewayClient(`${url}?mode=audio`, other);
    await client.received('admitted');
    const asked = systemClock.now();
    client.send({ kind: 'configure', settings: {} });
    if (profile === 'documented') {
      expect((await client.received('error')).code).toBe('unknown_event');
      expect(client.socket.readyState).toBe(client.socket.OPEN);
    } else if (dialect === 'unified') {
      const closed = await client.received('closed');
      // Immediately, without waiting for the next step or the closing handshake.
      expect(systemClock.now() - asked).toBeLessThan(900);
      expect(closed).toMatchObject({ reason: 'backend_error' });
      expect(closed.diagnostic).toMatch(/session\.update/);
    } else {
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(client.kinds).toEqual(['admitted']);
      expect(client.socket.readyState).toBe(client.socket.OPEN);
    }
  });

  it('names the error of an append', async () => {
    const url = await serve({ profile, dialect });
    const type = dialect === 'unified' ? 'input.append' : 'input_audio_buffer.append';
    const wrap = (payload: object): string =>
      JSON.stringify(dialect === 'unified' ? { type, input: payload } : { type, ...payload });
    for (const [payload, code] of [
      [{}, 'missing_field'],
      [{ audio: '@@@' }, 'invalid_payload'],
    ] as const) {
      const client = new GatewayClient(`${url}?mode=audio`, dialect);
      await client.received('admitted');
      client.send({ kind: 'configure', settings: {} });
      await client.received('created');
      client.socket.send(wrap(payload));
      if (profile === 'documented') expect((await client.received('error')).code).toBe(code);
      else if (dropsSilently && code === 'invalid_payload')
        expect((await client.ended).code).toBe(1006);
      else if (dropsSilently)
        expect((await client.received('error')).code).toBe('inference_failed');
      else expect((await client.received('closed')).reason).toBe('backend_error');
      client.socket.terminate();
    }
  });
});

describe('chat on a real socket', () => {
  it.each(['documented', 'deployed'] as const)('answers a turn, %s', async (profile) => {
    const url = await serve({ profile });
    const client = new GatewayClient(`${url}?mode=chat`, 'unified');
    await client.received('admitted');
    client.send({ kind: 'configure', settings: {} });
    expect((await client.received('created')).runtimeMode).toBe('turn_based');
    const messages = [{ role: 'user', content: 'Reply with exactly: test' }] as const;
    client.send({ kind: 'chat', messages });
    expect(await client.received('done')).toMatchObject({ text: 'test', reason: 'turn_end' });
    client.send({
      kind: 'chat',
      messages: [{ role: 'user', content: 'Hello!' }],
      speech: { enabled: true },
    });
    const done = await client.received('done', 2);
    expect(done.text).toBe(speech().clips[0]?.text);
    const samples = client.events.reduce(
      (sum, event) => sum + ((event.kind === 'output' && event.audio?.length) || 0),
      0,
    );
    expect(samples).toBe(speech().clips[0]?.audio.length);
  });
});
