import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import type { Fault, GatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { encodePcm } from '../../shared/protocol/base64-media.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { fakeJpeg } from '../fakes/fake-pictures.ts';
import { silence, spokenTo } from '../unit/electron/gateway/gateway-client.ts';
import { GatewayClient, gatewayHarness, gatewayKinds } from './gateway-harness.ts';

const { serve, speech } = gatewayHarness();

const configure = { kind: 'configure', settings: {} } as const;
const append = { kind: 'append', audio: silence(1000), inputId: 'mine' } as const;

async function configuredClient(options: Partial<GatewayOptions>): Promise<GatewayClient> {
  const dialect = options.dialect ?? 'unified';
  const client = new GatewayClient(`${await serve(options)}?mode=audio`, dialect);
  await client.next();
  client.send(configure);
  return client;
}

type AtStep = Extract<Fault, { atStep: unknown }>;

const stages: readonly (readonly [title: string, AtStep['atStep'], string[]])[] = [
  ['admission', 'admission', []],
  ['creation', 'creation', ['admitted']],
  ['step 1', 1, ['admitted', 'created']],
];

describe.each(stages)('a fault at %s', (_title, atStep, kinds) => {
  it.each<[string, DialectName, number, AtStep]>([
    [
      'with an error that lets the client return',
      'unified',
      1013,
      { kind: 'error', atStep, code: 'worker_busy' },
    ],
    ['with a final error', 'unified', 1000, { kind: 'error', atStep, code: 'session_failed' }],
    ['with an unknown reason', 'unified', 1000, { kind: 'closed', atStep, reason: 'a whim' }],
    [
      'with a reason of the older dialect',
      'legacy',
      1006,
      { kind: 'closed', atStep, reason: 'timeout' },
    ],
    ['by a cut connection', 'unified', 1006, { kind: 'drop', atStep }],
  ])('can end the session %s', async (_how, dialect, closeCode, fault) => {
    const client = await configuredClient({ dialect, faults: [fault] });
    if (atStep === 1) client.send(append);
    expect((await client.ended).code).toBe(closeCode);
    const last = fault.kind === 'drop' ? [] : [fault.kind];
    expect(client.kinds).toEqual([...kinds, ...last]);
    if (fault.kind === 'error') expect(client.events.at(-1)).toMatchObject({ code: fault.code });
    if (fault.kind === 'closed')
      expect(client.events.at(-1)).toMatchObject({ reason: fault.reason });
  });
});

it('a gateway sends text earlier than its sound by the configured time, and each word only once', async () => {
  const firstTexts: string[] = [];
  const wholeTexts: string[] = [];
  for (const textLeadMs of [0, 700]) {
    const client = await configuredClient({ textLeadMs, profile: 'documented' });
    await client.received('created');
    client.send({ kind: 'append', audio: spokenTo });
    firstTexts.push((await client.received('output')).text ?? '');
    // The listen after the last sound belongs to the next step.
    while (!client.kinds.includes('listen')) {
      client.send(append);
      await client.next();
    }
    wholeTexts.push(
      client.events.map((event) => (event.kind === 'output' ? (event.text ?? '') : '')).join(''),
    );
  }
  const [plain = '', ahead = ''] = firstTexts;
  expect(ahead.startsWith(plain)).toBe(true);
  expect(ahead.split(' ').length).toBeGreaterThan(plain.split(' ').length);
  expect(wholeTexts[1]).toBe(wholeTexts[0]);
  const clips = speech().clips.filter(({ id }) => id === 'hello' || id === 'hear');
  expect(wholeTexts[0]).toBe(clips.map(({ text }) => text).join(' '));
});

it('the metrics of a deployed gateway use Unix seconds and break down the time', async () => {
  const before = Date.now();
  const client = await configuredClient({});
  await client.received('created');
  const frames: string[] = [];
  client.socket.on('message', (data: Buffer) => frames.push(data.toString()));
  client.send({ kind: 'append', audio: spokenTo });
  const { metrics } = await client.received('output', 2);
  expect(Object.keys(metrics?.values ?? {}).toSorted()).toEqual([
    'cost_llm_ms',
    'cost_token2wav_ms',
    'cost_tts_ms',
    'generate_ms',
    'kv_cache_length',
    'n_tokens',
    'n_tts_tokens',
    'prefill_ms',
    'wall_clock_ms',
  ]);
  expect(metrics?.values).toMatchObject({ wall_clock_ms: 5, n_tts_tokens: 25 });
  const [first = '{}'] = frames;
  const { server_send_ts: sent } = JSON.parse(first) as { server_send_ts?: number };
  expect(sent).toBeGreaterThan(before / 1000 - 1);
  expect(sent).toBeLessThan(Date.now() / 1000 + 1);
});

/** A pong proves that everything sent before has been read. */
async function hasRead({ socket }: { readonly socket: WebSocket }): Promise<void> {
  socket.ping();
  await once(socket, 'pong');
}

it.each(gatewayKinds)(
  'a configure before a worker is assigned is held and then applied: $profile, $dialect',
  async (kind) => {
    const url = `${await serve({ ...kind, workers: 1 })}?mode=audio`;
    const { dialect } = kind;
    const holder = await GatewayClient.live(url, dialect);
    // The official pages configure once, 100 ms after they connect, even if they are still queued.
    const page = new GatewayClient(url, dialect);
    await page.received('queued');
    page.send(configure);
    await hasRead(page);
    expect(page.kinds).toEqual(['queued']);
    await holder.close();
    const other = new GatewayClient(url, dialect);
    await other.received('queued');
    other.send(configure);
    await page.received('created');
    page.send(append);
    await page.received('listen');
    await page.close();
    await other.received('created');
    expect(page.kinds).not.toContain('error');
  },
);

it('an append to a deployed unified gateway creates a session without a configure', async () => {
  const client = new GatewayClient(`${await serve()}?mode=audio`);
  await client.received('admitted');
  client.send(append);
  await client.received('listen');
  expect(client.kinds).toEqual(['admitted', 'created', 'listen']);
});

describe('a hostile client', () => {
  it('is disconnected for a large message before it has a session', async () => {
    // A deployed worker refuses the client after a vanished one, which this test does not want.
    const url = await serve({ workers: 1, profile: 'documented' });
    for (const stage of ['assigned', 'queued']) {
      const client = new GatewayClient(url, 'unified', { perMessageDeflate: false });
      await client.received(stage === 'queued' ? 'queued' : 'admitted');
      client.socket.send('{},'.repeat(4 * 1024 * 1024));
      expect([stage, (await client.ended).code]).toEqual([stage, 1009]);
      if (stage === 'assigned') await new GatewayClient(url).received('admitted');
    }
  });

  it('is disconnected for the size after inflation', async () => {
    const perMessageDeflate = { threshold: 0 };
    const client = new GatewayClient(await serve(), 'unified', { perMessageDeflate });
    await client.received('admitted');
    client.socket.send(' '.repeat(9 * 1024 * 1024));
    expect((await client.ended).code).toBe(1009);
  });

  it('cannot fill the gateway’s memory while waiting in the queue', async () => {
    const url = await serve({ workers: 1 });
    await new GatewayClient(url).received('admitted');
    const client = new GatewayClient(url, 'unified', { perMessageDeflate: false });
    await client.received('queued');
    for (let nr = 0; nr < 61; nr += 1) client.send(append);
    expect((await client.received('closed')).diagnostic).toMatch(/faster than it is processed/);
    const patient = await serve({ workers: 1, profile: 'documented' });
    await new GatewayClient(patient).received('admitted');
    const other = new GatewayClient(patient, 'unified', { perMessageDeflate: false });
    await other.received('queued');
    const voice = JSON.stringify({ type: 'session.init', payload: { a: 'A'.repeat(7_000_000) } });
    for (let nr = 0; nr < 3; nr += 1) other.socket.send(voice);
    expect((await other.received('error', 2)).message).toMatch(/too much data before/);
  });

  it.each([
    ['brackets', /more JSON than any event/, () => `[${'{},'.repeat(38 * 1024 * 1024)}{}]`],
    [
      'escaped characters',
      /more JSON than any event/,
      () => `{"type":"${String.raw`\u0041`.repeat(12 * 1024 * 1024)}"}`,
    ],
    [
      'one endless word',
      /type is longer than 1048576 characters/,
      () => `{"type":"${'a'.repeat(100 * 1024 * 1024)}"}`,
    ],
  ])('cannot make the gateway parse %s, even with a session', async (_what, problem, frame) => {
    const url = `${await serve()}?mode=chat`;
    const hostile = await GatewayClient.live(url, 'unified', { perMessageDeflate: false });
    hostile.socket.send(frame());
    expect((await hostile.received('closed')).diagnostic).toMatch(problem);
  });

  it('cannot send a larger message in a talk than the gateway reads', async () => {
    const client = await GatewayClient.live(`${await serve()}?mode=audio`, 'unified', {
      perMessageDeflate: false,
    });
    client.send({ kind: 'append', audio: silence(60_000) });
    await client.received('listen');
    client.send({ kind: 'append', audio: silence(200_000) });
    expect((await client.ended).code).toBe(1009);
  });

  it('may send a chat with minutes of sound after it has a session', async () => {
    const client = await GatewayClient.live(`${await serve()}?mode=chat`, 'unified', {
      perMessageDeflate: false,
    });
    const audio = new Float32Array(16_000 * 200);
    const messages = [{ role: 'user', content: [{ type: 'audio', audio }] }] as const;
    client.send({ kind: 'chat', messages });
    expect((await client.received('done')).text).toMatch(/200\.0 seconds of sound/);
  });
});

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

  it('accepts a chat mode in the payload, at the address of another mode', async () => {
    const init = JSON.stringify({ type: 'session.init', payload: { mode: 'turn_based' } });
    const client = await goLive(`${await serve()}?mode=audio`, init);
    expect((await client.received('created')).runtimeMode).toBe('turn_based');
    client.send({ kind: 'chat', messages: [{ role: 'user', content: 'Reply with exactly: so' }] });
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

describe('a worker whose client vanished', () => {
  it('refuses the next two clients, and recovers later', async () => {
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
});

it('the wedge fault loses a worker for good if a queued client leaves just before the active one ends', async () => {
  const url = `${await serve({ workers: 1, faults: [{ kind: 'wedge', session: 2 }] })}?mode=audio`;
  const first = await goLive(url);
  const leaving = new GatewayClient(url);
  await leaving.received('queued');
  const staying = new GatewayClient(url);
  await staying.received('queued');
  leaving.socket.terminate();
  // The better position of `staying` shows that the other client has left.
  await staying.received('queued', 2);
  first.send({ kind: 'close', reason: 'user_stop' });
  await first.ended;
  // The update after three seconds changes nothing.
  await staying.received('queued', 3);
  expect(staying.kinds).not.toContain('admitted');
});
