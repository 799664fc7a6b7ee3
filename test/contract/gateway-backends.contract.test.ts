import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runTerminal } from '../../electron/hosts/terminal/run-terminal.ts';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import type { ServerEvent } from '../../shared/protocol/realtime-api.ts';
import { fakeTerminal } from '../fakes/fake-terminal.ts';
import { childrenOf, readCommand } from '../e2e/fixtures/processes.ts';
import { eventually } from '../fakes/promises.ts';
import { type RunningCli, startCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import type { StandInFaults } from '../llama-omni/stand-in-faults.ts';
import {
  fillModelFolder,
  installStandIn,
  isLoopback,
  socketAddresses,
  StandInProcess,
  writeCatalogue,
} from '../llama-omni/stand-in-process.ts';
import { GatewayClient, gatewayHarness, httpUrl } from './gateway-harness.ts';

// Gateways in front of the stand-in of llama-omni-server, which runs as a process. A busy machine starts it slowly.
vi.setConfig({ testTimeout: 60_000 });

const { serveBackends } = gatewayHarness();
const contextTokens = 1_000_000;
const silence = new Float32Array(16_000);

let models: StandInProcess[] = [];

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
  const url = await serveBackends(
    [connectBackend(new URL(model.url))],
    { contextTokens },
    creationMs,
  );
  return { model, url, audioUrl: `${url}?mode=audio` };
}

let appends = 0;

/** Sends a second of sound and waits for the answer to it. */
async function appendSecond(client: GatewayClient): Promise<ServerEvent> {
  appends += 1;
  const inputId = `in ${appends}`;
  client.send({ kind: 'append', inputId, audio: silence });
  for (;;) {
    const answer = client.events.find((event) => 'inputId' in event && event.inputId === inputId);
    if (answer !== undefined) return answer;
    await client.next();
  }
}

describe('a gateway in front of a model server', () => {
  it('closes the model server’s session when the client ends its own, and serves the next client', async () => {
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
  ])('ends the session with backend_error if the server %s', async (_name, faults) => {
    const client = await GatewayClient.live((await open(faults)).audioUrl);
    await appendSecond(client);
    client.send({ kind: 'append', audio: silence });
    expect((await client.received('closed')).reason).toBe('backend_error');
    await client.ended;
  });

  it('shows its worker, its queue and its model server in status and metrics', async () => {
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

it('parley gateway lets a session end after Ctrl-C, refuses the next client, and exits', async () => {
  const { terminal, written, interrupt } = fakeTerminal();
  let onListening: (url: string) => void = () => undefined;
  const listening = new Promise<string>((resolve) => {
    onListening = resolve;
  });
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  const command = ['gateway', '--port', '0', '--json', '--backend', (await startModel()).url];
  const ended = runTerminal(command, {
    ...terminal,
    out: (text) => {
      onListening((JSON.parse(text) as { readonly url: string }).url);
    },
  });
  const url = `${await listening}?mode=audio`;
  const client = await GatewayClient.live(url);
  interrupt();
  const next = new GatewayClient(url);
  expect((await next.received('closed')).reason).toBe('server_shutdown');
  expect(written.err).toContain('running sessions get 10 s');
  await appendSecond(client);
  expect(await client.close()).toBe('user_stop');
  expect(await ended).toBe(0);
});

let gateway: RunningCli | undefined;

afterEach(async () => {
  gateway?.child.kill('SIGKILL');
  await gateway?.ended;
});

/** An NVIDIA card of 24 GB with this much free memory. */
function installCard(folder: string, freeMegabytes: number): void {
  mkdirSync(folder);
  const line = `NVIDIA GeForce RTX 4090, 24564, ${freeMegabytes}, 8.9`;
  writeFileSync(`${folder}/nvidia-smi`, `#!/bin/sh\necho '${line}'\n`, { mode: 0o755 });
}

/** Installs the stand-in and a model; the arguments and the environment choose them. */
async function installModel(faults: StandInFaults) {
  const at = workFolder();
  const server = await installStandIn(at('bin'), faults);
  fillModelFolder(at('model'));
  writeCatalogue(at('catalogue.json'), at('model'));
  mkdirSync(at('state'));
  const env = {
    ...process.env,
    PATH: `${at('card')}${delimiter}${process.env['PATH'] ?? ''}`,
    PARLEY_MODEL_CATALOGUE: at('catalogue.json'),
    PARLEY_STATE_DIR: at('state'),
  };
  return { at, server, env, args: ['--model', at('model'), '--server', server, '--json'] };
}

/** Runs `parley gateway --model` with the stand-in. */
async function serveModel(freeMegabytes?: number) {
  const { at, env, args } = await installModel({ loadMs: 400, stepMs: 20 });
  if (freeMegabytes !== undefined) installCard(at('card'), freeMegabytes);
  gateway = startCli(['gateway', ...args, '--port', '0'], '', env);
  const [, url = ''] = await gateway.waitForOutput(/"url":"([^"]+)"/u);
  const log = (name = 'model-server'): string => readFileSync(at(`state/logs/${name}.log`), 'utf8');
  const loadMs = (): number => {
    const text = readFileSync(at('state/model-server.json'), 'utf8');
    return (JSON.parse(text) as { readonly loadMs: number }).loadMs;
  };
  return {
    gateway,
    url,
    loads: (name?: string) => log(name).match(/all models loaded/gu)?.length,
    loadMs,
  };
}

it('parley gateway --model loads the model for a chat after a talk, while the chat waits', async () => {
  const { gateway, url, loads, loadMs } = await serveModel();
  const talk = await GatewayClient.live(`${url}?mode=audio`);
  expect(talk.kinds).not.toContain('queued');
  expect(loads()).toBe(1);
  const lastLoadMs = loadMs();

  const chat = new GatewayClient(`${url}?mode=chat`);
  await chat.received('queued');
  chat.send({ kind: 'configure', settings: {} });
  talk.send({ kind: 'close', reason: 'user_stop' });
  await talk.ended;
  await chat.received('admitted');
  expect(loads()).toBe(2);
  const [first, ...updates] = chat.events.filter(({ kind }) => kind === 'queued');
  expect(first).toMatchObject({ stage: 'joined', position: 1 });
  expect(updates.at(-1)).toMatchObject({ stage: 'moved', position: 1, length: 1 });
  expect(updates.at(-1)).toHaveProperty('etaSeconds', Math.ceil(lastLoadMs / 1000));
  await chat.received('created');
  expect(loads()).toBe(2);
  chat.send({ kind: 'close', reason: 'user_stop' });
  await chat.ended;

  const next = new GatewayClient(`${url}?mode=video`);
  await next.received('admitted');
  expect(next.kinds).toContain('queued');
  expect(loads()).toBe(3);
  next.socket.terminate();
  gateway.child.kill('SIGINT');
  const { code, err } = await gateway.ended;
  expect(code).toBe(0);
  expect(err).toMatch(/^Loading the model, about 40 s\n/u);
});

const question = { role: 'user', content: 'Hello' } as const;
const append = { kind: 'append', audio: silence } as const;

/** The stand-ins below this process. */
function programsOf(pid = 0): readonly number[] {
  return childrenOf(pid).filter((child) => readCommand(child).includes('llama-omni-server.mjs'));
}

describe.runIf(process.platform === 'linux')('parley gateway --model on a card of 24 GB', () => {
  it('answers a chat while a talk runs, in a second process that ends with Parley @nightly', async () => {
    const { gateway, url, loads } = await serveModel(14_000);
    const talk = await GatewayClient.live(`${url}?mode=audio`);
    talk.send(append);
    await talk.received('listen');

    const chat = await GatewayClient.live(`${url}?mode=chat`);
    chat.send({ kind: 'chat', messages: [question], speech: { enabled: false } });
    talk.send(append);
    await chat.received('done');
    await talk.received('listen', 2);
    expect(chat.events.some((event) => event.kind === 'output' && event.text !== '')).toBe(true);
    expect([loads(), loads('model-chat')]).toEqual([1, 1]);

    const programs = programsOf(gateway.child.pid);
    expect(programs).toHaveLength(2);
    const sockets = [gateway.child.pid ?? 0, ...programs].map(socketAddresses);
    expect(sockets.map(({ length }) => length > 0)).toEqual([true, true, true]);
    expect(sockets.flat().filter((socket) => !isLoopback(socket))).toEqual([]);
    gateway.child.kill('SIGKILL');
    await eventually(() => {
      expect(programs.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    });
  });
});

/** Runs `parley bench --model` with the stand-in. */
async function startBench(faults: StandInFaults, steps: string) {
  const { server, env, args } = await installModel(faults);
  return { cli: startCli(['bench', ...args, '--steps', steps], '', env), server };
}

/** The ids of the processes that run a program. */
const processesOf = (program: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => readCommand(Number(pid)).includes(program));

it('parley bench measures the model with and without pictures, and ends its process @nightly', async () => {
  const { cli, server } = await startBench({ loadMs: 100, stepMs: 20, pictureMs: 200 }, '3');
  const { code, out, err } = await cli.ended;
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(events, err).toMatchObject([
    { event: 'loaded' },
    { event: 'steps', picture: false, steps: 3 },
    { event: 'steps', picture: true, steps: 3 },
    { event: 'verdict', verdict: 'voice' },
  ]);
  expect(Number(events[2]?.['medianMs'])).toBeGreaterThanOrEqual(200);
  expect(Number(events[1]?.['medianMs'])).toBeLessThan(Number(events[2]?.['medianMs']));
  expect(code).toBe(0);
  expect(processesOf(server)).toEqual([]);
});
