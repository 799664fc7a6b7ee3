import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { childrenOf, readCommand } from '../e2e/fixtures/processes.ts';
import { eventually } from '../fakes/eventually.ts';
import { type RunningCli, startCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { fillModelFolder, installStandIn, writeCatalogue } from '../llama-omni/install-stand-in.ts';
import { isLoopback, socketAddresses } from '../llama-omni/socket-addresses.ts';
import type { StandInFaults } from '../llama-omni/stand-in-faults.ts';
import { GatewayClient } from './gateway-harness.ts';

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
  expect(updates.at(-1)).toHaveProperty('etaSeconds', Math.ceil(loadMs() / 1000));
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
const silence = { kind: 'append', audio: new Float32Array(16_000) } as const;

/** The stand-ins below this process. */
function programsOf(pid = 0): readonly number[] {
  return childrenOf(pid).filter((child) => readCommand(child).includes('llama-omni-server.mjs'));
}

describe.runIf(process.platform === 'linux')('parley gateway --model on a card of 24 GB', () => {
  it('answers a chat while a talk runs, in a second process that ends with Parley', async () => {
    const { gateway, url, loads } = await serveModel(14_000);
    const talk = await GatewayClient.live(`${url}?mode=audio`);
    talk.send(silence);
    await talk.received('listen');

    const chat = await GatewayClient.live(`${url}?mode=chat`);
    chat.send({ kind: 'chat', messages: [question], speech: { enabled: false } });
    talk.send(silence);
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

it('parley bench measures the model with and without pictures, and ends its process', async () => {
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
