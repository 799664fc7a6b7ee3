import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Backend, createBackendCodec } from '../../electron/gateway/backend.ts';
import { runTerminal } from '../../electron/hosts/terminal/run-terminal.ts';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import type { AppendEvent, OutputEvent, ServerEvent } from '../../shared/protocol/realtime-api.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { speech } from '../llama-omni/backend-client.ts';
import type { StandInFaults } from '../llama-omni/stand-in-faults.ts';
import { StandInProcess } from '../llama-omni/stand-in-process.ts';
import { GatewayClient, gatewayHarness, httpUrl } from './gateway-harness.ts';

// Gateways in front of the stand-in of llama-omni-server, which runs as a process.

const { serveBackends } = gatewayHarness();
const contextTokens = 1_000_000;
const answers = 4;
const latestSoundMs = 500;
const silence = new Float32Array(16_000);
const codec = createBackendCodec(bufferBase64);

let models: StandInProcess[] = [];
/** Events of the model server, in their order. */
let sent: ServerEvent[] = [];

beforeEach(() => {
  sent = [];
});

afterEach(async () => {
  for (const model of models) await model.end();
  models = [];
});

async function startModel(faults: StandInFaults = {}): Promise<StandInProcess> {
  const model = new StandInProcess();
  models.push(model);
  await model.start({ loadMs: 20, stepMs: 10, takesAnyPace: true, ...faults }, contextTokens);
  return model;
}

/** Starts a model server with a gateway in front of it. */
async function open(faults: StandInFaults = {}) {
  const model = await startModel(faults);
  const creationMs = faults.neverReady === true ? 300 : undefined;
  const url = await serveBackends([tapped(new URL(model.url))], { contextTokens }, creationMs);
  return { model, url, audioUrl: `${url}?mode=audio` };
}

/** A model server whose events are also added to `sent`. */
function tapped(address: URL): Backend {
  const backend = connectBackend(address);
  return {
    ...backend,
    connect: ({ opened, received, ended }) =>
      backend.connect({
        opened,
        ended,
        received: (text) => {
          if (text !== undefined) sent.push(codec.decode(text));
          received(text);
        },
      }),
  };
}

let appends = 0;

/** Sends a second of sound and waits for the answer to it. */
async function appendSecond(
  client: GatewayClient,
  fields: Partial<AppendEvent> = {},
): Promise<ServerEvent> {
  appends += 1;
  const inputId = `in ${appends}`;
  client.send({ kind: 'append', inputId, audio: silence, ...fields });
  for (;;) {
    const answer = client.events.find((event) => 'inputId' in event && event.inputId === inputId);
    if (answer !== undefined) return answer;
    if (client.kinds.includes('closed')) throw new Error('the session has ended');
    await client.next();
  }
}

/** Speaks, and listens until the model's answer begins. */
async function speak(client: GatewayClient): Promise<void> {
  let answer = await appendSecond(client, { audio: speech });
  while (answer.kind !== 'output') answer = await appendSecond(client);
}

/** Listens until a step without text has ended the answer. */
async function listen(client: GatewayClient): Promise<void> {
  for (;;) {
    const { kind } = await appendSecond(client);
    if (kind === 'listen') return;
  }
}

const outputs = (events: readonly ServerEvent[]): readonly OutputEvent[] =>
  events.filter((event) => event.kind === 'output');
const textOf = (events: readonly ServerEvent[]): string =>
  outputs(events)
    .map(({ text = '' }) => text)
    .join('');
const soundOf = (events: readonly ServerEvent[]): Buffer =>
  Buffer.concat(
    outputs(events).map(({ audio = new Float32Array() }) =>
      Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength),
    ),
  );

/** The answer of /status. */
const statusRule = z.object({
  idle_workers: z.number(),
  busy_workers: z.number(),
  queue_length: z.number(),
  workers: z.array(z.object({ name: z.string(), state: z.string() })),
});

describe('a gateway in front of a model server', () => {
  it('passes text and sound of each answer whole, in order and under one id', async () => {
    const { model, audioUrl } = await open({
      seed: 5,
      lostListens: 0.2,
      lostFragments: 0.1,
      silentSteps: 0.1,
      lateSound: { ms: 400, jitterMs: 100 },
    });
    const client = await GatewayClient.live(audioUrl);
    for (let count = 0; count < answers; count += 1) {
      await speak(client);
      await listen(client);
    }
    // A step whose text was lost still has sound, which comes after the end of its turn.
    await wait(latestSoundMs);
    await appendSecond(client);
    expect(outputs(client.events).length).toBeGreaterThan(2 * answers);
    expect(textOf(client.events)).toBe(textOf(sent));
    expect(soundOf(client.events).equals(soundOf(sent))).toBe(true);
    expect(new Set(outputs(client.events).map(({ responseId }) => responseId)).size).toBe(answers);
    const { textSent, samplesSent } = await model.report();
    expect(textOf(sent)).toBe(textSent);
    expect(soundOf(sent).length).toBe(4 * samplesSent);
  }, 60_000);

  it('drops the rest of an answer that the client interrupts, and passes the next', async () => {
    const client = await GatewayClient.live((await open({ lateSound: { ms: 600 } })).audioUrl);
    await speak(client);
    const received = sent.length;
    expect((await appendSecond(client, { forceListen: true })).kind).toBe('listen');
    const passed = client.events.length;
    // The sound of the interrupted answer arrives only now.
    while (soundOf(sent.slice(received)).length === 0)
      await appendSecond(client, { forceListen: true });
    expect(outputs(client.events.slice(passed))).toEqual([]);
    await speak(client);
    const next = () => outputs(client.events.slice(passed));
    while (soundOf(next()).length === 0) await appendSecond(client);
    expect(new Set(next().map(({ responseId }) => responseId)).size).toBe(1);
  }, 60_000);

  it('closes the session of the model server with that of the client, and serves the next', async () => {
    const { model, audioUrl } = await open();
    const client = await GatewayClient.live(audioUrl);
    await appendSecond(client);
    const sessionFolder = join(model.temporary, 'omni_ws');
    expect(readdirSync(sessionFolder)).toHaveLength(1);
    expect(await client.close()).toBe('user_stop');
    await client.ended;
    const second = await GatewayClient.live(audioUrl);
    expect(model.log).toContain('closed: client_closed');
    expect(existsSync(sessionFolder) ? readdirSync(sessionFolder) : []).toEqual([]);
    expect((await appendSecond(second)).kind).toBe('listen');
    expect((await model.report()).loads).toBe(1);
  });

  it.each<[string, StandInFaults, string, string]>([
    ['has no /backend', { olderBuild: true }, 'worker_connect_failed', 'HTTP 404'],
    ['has no memory', { outOfMemory: true }, 'session_failed', 'omni_init_failed'],
    ['dies as it loads', { crashWhileLoading: true }, 'worker_connect_failed', 'be reached'],
    ['is never ready', { neverReady: true }, 'session_failed', 'not ready'],
  ])('refuses a session if the server %s', async (_name, faults, code, words) => {
    const client = new GatewayClient((await open(faults)).audioUrl);
    await client.next();
    client.send({ kind: 'configure', settings: {} });
    const error = await client.received('error');
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
    await client.ended;
    expect(client.kinds).not.toContain('created');
  });

  it.each<[string, StandInFaults]>([
    ['crashes', { crashAtStep: 2 }],
    ['sends a message of 100 MB', { hugeMessageAtStep: 2 }],
  ])('ends with backend_error if the server %s', async (_name, faults) => {
    const client = await GatewayClient.live((await open(faults)).audioUrl);
    await appendSecond(client);
    client.send({ kind: 'append', audio: silence });
    expect((await client.received('closed')).reason).toBe('backend_error');
    await client.ended;
  });

  it('reports it in status and metrics', async () => {
    const model = await startModel();
    const url = await serveBackends([connectBackend(new URL(model.url), 'duplex')]);
    const client = await GatewayClient.live(`${url}?mode=audio`);
    const waiting = new GatewayClient(`${url}?mode=audio`);
    await waiting.received('queued');
    const status = await fetch(httpUrl(url, '/status'));
    expect(await status.json()).toMatchObject({
      total_workers: 1,
      idle_workers: 0,
      busy_workers: 1,
      queue_length: 1,
      workers: [{ name: model.url, serves: 'duplex', state: 'busy' }],
    });
    const metrics = await fetch(httpUrl(url, '/metrics'));
    expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await metrics.text();
    expect(text).toContain('parley_gateway_queue_length 1\n');
    expect(text).toContain('parley_gateway_sessions 1\n');
    expect(text).toContain('parley_gateway_workers{state="busy"} 1\n');
    const asPage = { headers: { origin: 'https://evil.example' } };
    for (const path of ['/status', '/metrics', '/health'])
      expect((await fetch(httpUrl(url, path), asPage)).status).toBe(403);
    await client.close();
    await client.ended;
    const after = await (await fetch(httpUrl(url, '/metrics'))).text();
    expect(after).toContain('_session_ends_total{mode="audio",reason="client_closed"} 1\n');
    waiting.socket.terminate();
  });

  it('is unhealthy while the server cannot be reached: a queued client waits, and a new one is refused', async () => {
    const { model, url, audioUrl } = await open();
    const health = async (): Promise<number> => (await fetch(httpUrl(url, '/health'))).status;
    expect(await health()).toBe(200);
    model.signal('SIGKILL');
    await model.exited();
    const client = new GatewayClient(audioUrl);
    await client.received('queued');
    expect(await health()).toBe(503);
    const newcomer = new GatewayClient(audioUrl);
    expect(await newcomer.received('error')).toMatchObject({ code: 'service_unavailable' });
    expect((await newcomer.ended).code).toBe(1013);
    await model.restart();
    await client.received('admitted');
    expect(await health()).toBe(200);
    await client.configure();
    expect(client.kinds).not.toContain('error');
    client.socket.terminate();
  });
});

it('two clients talk while a third waits; a killed model server ends one talk and later serves the third', async () => {
  const [model, otherModel] = [await startModel(), await startModel()];
  const [killed, other] = [model.url, otherModel.url];
  const url = await serveBackends([killed, other].map((each) => connectBackend(new URL(each))));
  const audioUrl = `${url}?mode=audio`;
  const status = async () => {
    const response = await fetch(httpUrl(url, '/status'));
    const { workers, ...counts } = statusRule.parse(await response.json());
    return { ...counts, ...Object.fromEntries(workers.map(({ name, state }) => [name, state])) };
  };
  const first = await GatewayClient.live(audioUrl);
  const second = await GatewayClient.live(audioUrl);
  await Promise.all([speak(first), speak(second)]);
  const third = new GatewayClient(audioUrl);
  expect(await third.received('queued')).toMatchObject({ position: 1, length: 1 });
  expect(await status()).toEqual({
    idle_workers: 0,
    busy_workers: 2,
    queue_length: 1,
    [killed]: 'busy',
    [other]: 'busy',
  });

  model.signal('SIGKILL');
  expect((await first.received('closed')).reason).toBe('backend_error');
  expect((await first.ended).code).toBe(1000);
  expect(await status()).toMatchObject({
    busy_workers: 1,
    queue_length: 1,
    [killed]: 'lost',
    [other]: 'busy',
  });
  await speak(second);
  expect(third.kinds).not.toContain('admitted');

  await model.restart();
  await third.received('admitted');
  await third.configure();
  await Promise.all([speak(second), speak(third)]);
  expect(await status()).toMatchObject({
    busy_workers: 2,
    queue_length: 0,
    [killed]: 'busy',
  });
  expect((await model.report()).turnsSpoken).toBe(1);
  expect(third.kinds).not.toContain('error');
  for (const client of [second, third]) client.socket.terminate();
}, 60_000);

it('parley gateway lets a session end after Ctrl-C, refuses the next client, and exits', async () => {
  let interrupt: () => void = () => undefined;
  const spoken = { err: '' };
  let onListening: (url: string) => void = () => undefined;
  const listening = new Promise<string>((resolve) => {
    onListening = resolve;
  });
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  const command = ['gateway', '--port', '0', '--json', '--backend', (await startModel()).url];
  const ended = runTerminal(command, {
    out: (text) => {
      onListening((JSON.parse(text) as { readonly url: string }).url);
    },
    err: (text) => {
      spoken.err += text;
    },
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => undefined;
    },
  });
  const url = `${await listening}?mode=audio`;
  const client = await GatewayClient.live(url);
  interrupt();
  const next = new GatewayClient(url);
  expect((await next.received('closed')).reason).toBe('server_shutdown');
  expect(spoken.err).toContain('running sessions get 10 s');
  await appendSecond(client);
  expect(await client.close()).toBe('user_stop');
  expect(await ended).toBe(0);
  vi.unstubAllEnvs();
});
