import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { encodePcm } from '../../shared/protocol/base64-media.ts';
import { fakeJpeg } from '../fakes/fake-pictures.ts';
import { silence, spokenTo } from '../unit/electron/gateway/gateway-client.ts';
import { GatewayClient, gatewayHarness } from './gateway-harness.ts';

const { serve } = gatewayHarness();

const configure = { kind: 'configure', settings: {} } as const;
const sound = encodePcm(spokenTo, bufferBase64);
const jpeg = bufferBase64.encode(fakeJpeg);

async function goLive(url: string, frame?: string): Promise<GatewayClient> {
  if (frame === undefined) return GatewayClient.live(url);
  const client = new GatewayClient(url);
  await client.received('admitted');
  client.socket.send(frame);
  await client.received('created');
  return client;
}

const appended = (input: object): string => JSON.stringify({ type: 'input.append', input });

describe('a deployed unified gateway, beyond the documentation,', () => {
  it.each([
    ['audio_base64', { audio_base64: sound, frames: [jpeg] }],
    ['audio_data', { audio_data: sound, frame_base64_list: [jpeg] }],
    ['audio as an object', { audio: { data: sound }, frame_base64_list: jpeg }],
  ])('accepts %s', async (_what, input) => {
    const client = await goLive(`${await serve()}?mode=video`);
    client.socket.send(appended({ ...input, max_slice_nums: '2', force_listen: 0 }));
    const { metrics } = await client.received('output');
    expect(metrics?.values).toMatchObject({ vision_slices: 2 });
  });

  it('accepts a force_listen of 1', async () => {
    const client = await goLive(`${await serve()}?mode=audio`);
    client.socket.send(appended({ audio: sound, force_listen: 1 }));
    await client.received('listen');
    expect(client.kinds).not.toContain('output');
  });

  it('accepts numbers as strings', async () => {
    const config = { force_listen_count: '2', length_penalty: '1.1', generate_audio: 'false' };
    const init = JSON.stringify({ type: 'session.init', payload: { config } });
    const client = await goLive(`${await serve()}?mode=audio`, init);
    for (let nr = 0; nr < 3; nr += 1) client.socket.send(appended({ audio: sound }));
    await client.received('output');
    expect(client.kinds).toEqual(['admitted', 'created', 'listen', 'listen', 'output']);
    expect(client.events.at(-1)).not.toHaveProperty('audio');
  });

  it('accepts a mode in the payload, at any address', async () => {
    const init = JSON.stringify({ type: 'session.init', payload: { mode: 'turn_based' } });
    const client = await goLive(`${await serve()}?mode=audio`, init);
    expect((await client.received('created')).runtimeMode).toBe('turn_based');
    client.send({ kind: 'chat', messages: [{ role: 'user', content: 'Reply with exactly: so' }] });
    expect((await client.received('done')).text).toBe('so');
  });

  it('ignores unknown parts of a message', async () => {
    const client = await goLive(`${await serve()}?mode=chat`);
    const content = [
      { type: 'video', data: 'AAAA' },
      { type: 'smell' },
      { type: 'text', text: 'Reply with exactly: so' },
    ];
    client.socket.send(
      appended({
        messages: [{ role: 'user', content }],
        generation: { max_new_tokens: '64' },
        tts: { enabled: 0 },
      }),
    );
    expect((await client.received('done')).text).toBe('so');
  });
});

it('a documented gateway refuses input beyond the documentation, with a message', async () => {
  const url = await serve({ profile: 'documented' });
  const client = await goLive(`${url}?mode=video`);
  client.socket.send(appended({ audio_base64: sound }));
  expect((await client.received('error')).message).toBe('input.audio field is required');
  client.socket.send(appended({ audio: sound, max_slice_nums: '2' }));
  expect((await client.received('error', 2)).message).toBe('input.max_slice_nums must be a number');
});

describe.each(['documented', 'deployed'] as const)('a %s unified gateway', (profile) => {
  it.each([
    ['chat', { audio: sound }, 'input.messages field is required'],
    ['audio', { messages: [{ role: 'user', content: 'x' }] }, 'input.audio field is required'],
  ])('refuses an input without the field of the mode %s', async (mode, input, message) => {
    const client = await goLive(`${await serve({ profile })}?mode=${mode}`);
    client.socket.send(appended(input));
    if (profile === 'documented')
      expect(await client.received('error')).toMatchObject({ code: 'missing_field', message });
    else expect((await client.received('closed')).diagnostic).toBe(message);
  });
});

describe('the response id of an event', () => {
  it('is in an output and in the listen that closes its turn, but not in other listens', async () => {
    const client = await goLive(`${await serve()}?mode=audio`);
    client.send({ kind: 'append', audio: silence(1000) });
    await client.received('listen');
    client.send({ kind: 'append', audio: spokenTo });
    for (let turn = 0; turn < 15 && client.kinds.filter((kind) => kind === 'listen').length < 2;) {
      turn += 1;
      await client.next();
      client.send({ kind: 'append', audio: silence(1000) });
    }
    const { responseId } = await client.received('output');
    const [before, closing] = client.events.filter(({ kind }) => kind === 'listen');
    expect(responseId).toMatch(/^resp_/);
    expect([before, closing]).toMatchObject([{ responseId: undefined }, { responseId }]);
  });
});

it.each([
  ['deployed', /^undefined$/],
  ['documented', /^sess_/],
] as const)(
  'the session id that comes with a timeout is as %s servers send it',
  async (profile, name) => {
    const url = await serve({ profile, sessionSeconds: { audio: 0.1, video: 1 } });
    const client = new GatewayClient(`${url}?mode=audio`);
    const closed = await client.received('closed');
    expect(closed).toMatchObject({ reason: 'timeout' });
    expect(String(closed.sessionId)).toMatch(name);
  },
);

describe('a worker after its client left', () => {
  it('refuses the next two clients if the client vanished, and recovers later', async () => {
    const url = `${await serve({ workers: 1 })}?mode=audio`;
    const first = await goLive(url);
    const waiting = new GatewayClient(url);
    await waiting.received('queued');
    const behind = new GatewayClient(url);
    await behind.received('queued');
    first.socket.terminate();
    for (const client of [waiting, behind]) {
      expect(await client.received('error')).toMatchObject({ code: 'session_failed' });
      expect((await client.ended).code).toBe(1000);
      expect(client.kinds).toContain('admitted');
    }
    await expect
      .poll(
        async () =>
          goLive(url).then(
            ({ kinds }) => kinds,
            () => 'refused',
          ),
        { timeout: 5000 },
      )
      .toEqual(['admitted', 'created']);
  });

  it('accepts the next client at once after a regular end', async () => {
    const url = `${await serve({ workers: 1 })}?mode=audio`;
    const first = await goLive(url);
    first.send({ kind: 'close', reason: 'user_stop' });
    await first.ended;
    await goLive(url);
  });

  it('is skipped after its client vanished, while another is free', async () => {
    const url = `${await serve({ workers: 2 })}?mode=audio`;
    const first = await goLive(url);
    first.socket.terminate();
    await goLive(url);
  });

  it('of a documented gateway accepts the next client even if the client vanished', async () => {
    const url = `${await serve({ workers: 1, profile: 'documented' })}?mode=audio`;
    const first = await goLive(url);
    const waiting = new GatewayClient(url);
    await waiting.received('queued');
    first.socket.terminate();
    await waiting.received('admitted');
    waiting.send(configure);
    await waiting.received('created');
  });
});

it('the wedge fault loses a worker for good if a queued client leaves just before the active one ends', async () => {
  const url = `${await serve({ workers: 1, faults: [{ kind: 'wedge', session: 2 }] })}?mode=audio`;
  const first = await goLive(url);
  const leaving = new GatewayClient(url);
  await leaving.received('queued');
  const staying = new GatewayClient(url);
  await staying.received('queued');
  leaving.socket.terminate();
  // Its better position shows that the other client has left.
  await staying.received('queued', 2);
  first.send({ kind: 'close', reason: 'user_stop' });
  await first.ended;
  // The update after three seconds changes nothing.
  await staying.received('queued', 3);
  expect(staying.kinds).not.toContain('admitted');
});
