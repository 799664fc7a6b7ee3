import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { encodeWav } from '../../shared/audio/wav.ts';
import { encodePcm } from '../../shared/protocol/base64-media.ts';
import { silence, spokenTo, voice } from '../unit/electron/gateway/gateway-client.ts';
import { GatewayClient } from './gateway-server-client.ts';
import { gatewayHarness } from './gateway-server-harness.ts';

const { serve } = gatewayHarness();

const configure = { kind: 'configure', settings: {} } as const;
const append = { kind: 'append', audio: silence(1000) } as const;
const wav = encodeWav(voice(500), { coding: 'float32', rate: 16_000, channels: 1 });
const wavText = bufferBase64.encode(wav);
const floatText = encodePcm(voice(500), bufferBase64);

async function goLive(url: string): Promise<GatewayClient> {
  const client = new GatewayClient(url, 'legacy');
  await client.received('admitted');
  client.send(configure);
  await client.received('created');
  return client;
}

const update = (session?: object): string => JSON.stringify({ type: 'session.update', session });

describe('a deployed legacy gateway', () => {
  const start = async (options = {}) =>
    `${await serve({ dialect: 'legacy', ...options })}?mode=audio`;

  it.each([
    '{"type":"session.pause"}',
    '{"type":"response.cancel"}',
    '{"type":"input.append","input":{}}',
    '{"type":"session.init","payload":{}}',
  ])('ignores %s without a reply, before and during a session', async (frame) => {
    const client = new GatewayClient(await start(), 'legacy');
    await client.received('admitted');
    client.socket.send(frame);
    client.send(configure);
    await client.received('created');
    client.socket.send(frame);
    client.send(append);
    await client.received('listen');
    expect(client.kinds).toEqual(['admitted', 'created', 'listen']);
  });

  it.each([
    ['no session', update()],
    ['no instructions', update({})],
  ])('accepts a configure that has %s', async (_what, frame) => {
    const client = new GatewayClient(await start(), 'legacy');
    await client.received('admitted');
    client.socket.send(frame);
    await client.received('created');
  });

  it('answers a second configure like the first', async () => {
    const client = await goLive(await start());
    client.send(configure);
    await client.received('created', 2);
    client.send(append);
    await client.received('listen');
  });

  it('calls an append without session or sound a failed step, and continues', async () => {
    const client = new GatewayClient(await start(), 'legacy');
    await client.received('admitted');
    client.send(append);
    expect((await client.received('error')).code).toBe('inference_failed');
    client.send(configure);
    await client.received('created');
    client.socket.send('{"type":"input_audio_buffer.append"}');
    expect((await client.received('error', 2)).code).toBe('inference_failed');
    client.send(append);
    await client.received('listen');
  });

  const invalidFrames: readonly (readonly [string, string | Buffer])[] = [
    ['not JSON', '{"type":'],
    ['a binary frame', Buffer.from('{}')],
    ['text that is not base64', '{"type":"input_audio_buffer.append","audio":"@@@"}'],
    ['half a sample', '{"type":"input_audio_buffer.append","audio":"AAAA"}'],
    [
      'an invalid picture',
      `{"type":"input_audio_buffer.append","audio":"${floatText}","video_frames":["AAAA"]}`,
    ],
    ['a voice of odd length', update({ instructions: '', ref_audio: 'AAAA' })],
  ];

  it.each(invalidFrames)('drops the connection silently on %s', async (_what, frame) => {
    const client = await goLive(await start());
    const before = client.kinds.length;
    client.socket.send(frame);
    expect((await client.ended).code).toBe(1006);
    expect(client.kinds).toHaveLength(before);
  });

  it('treats an unknown mode as audio', async () => {
    const url = await serve({ dialect: 'legacy', sessionSeconds: { audio: 0.2, video: 600 } });
    const client = new GatewayClient(`${url}?mode=nonsense`, 'legacy');
    expect((await client.received('closed')).reason).toBe('timeout');
  });

  it.each([
    ['the time limit', { sessionSeconds: { audio: 0.05, video: 1 } }, 'timeout'],
    ['its shutdown', { faults: [{ kind: 'shutdown', afterMs: 50 }] as const }, 'server_shutdown'],
  ])('ends at %s without a close frame', async (_what, options, reason) => {
    const client = new GatewayClient(await start(options), 'legacy');
    expect((await client.received('closed')).reason).toBe(reason);
    expect(await client.ended).toEqual({ code: 1006, reason: '' });
  });

  it('reports a full context once and continues', async () => {
    const client = await goLive(await start({ contextTokens: 60 }));
    for (let nr = 1; nr <= 6; nr += 1) {
      client.send(append);
      await client.received('listen', nr);
    }
    expect(client.events.filter(({ kind }) => kind === 'closed')).toMatchObject([
      { reason: 'context_full' },
    ]);
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
    client.send({ kind: 'append', audio: spokenTo });
    await client.received('output');
  });

  it('has a worker at once for a client that returns after a drop', async () => {
    const url = await start({ workers: 1 });
    (await goLive(url)).socket.terminate();
    await goLive(url);
  });
});

describe('a documented legacy gateway', () => {
  it('ends when the context is full', async () => {
    const url = await serve({ dialect: 'legacy', profile: 'documented', contextTokens: 30 });
    const client = await goLive(url);
    client.send(append);
    expect((await client.received('closed')).reason).toBe('context_full');
    expect((await client.ended).code).toBe(1000);
  });

  it('accepts a close only for an existing session', async () => {
    const url = await serve({ dialect: 'legacy', profile: 'documented', workers: 1 });
    const client = new GatewayClient(url, 'legacy');
    await client.received('admitted');
    client.send({ kind: 'close', reason: 'user_stop' });
    expect((await client.received('error')).code).toBe('invalid_event');
    const waiting = new GatewayClient(url, 'legacy');
    await waiting.received('queued');
    waiting.send({ kind: 'close', reason: 'user_stop' });
    expect((await waiting.received('error')).code).toBe('not_ready');
  });
});

describe.each(['documented', 'deployed'] as const)('a reference voice, %s', (profile) => {
  it.each([
    ['a WAV file', wavText],
    ['raw float32', floatText],
  ])('may be %s in the older dialect', async (_what, voiceText) => {
    const url = await serve({ dialect: 'legacy', profile });
    const client = new GatewayClient(url, 'legacy');
    await client.received('admitted');
    client.socket.send(
      update({ instructions: '', ref_audio: voiceText, tts_ref_audio: voiceText }),
    );
    await client.received('created');
  });
});
