import { mkdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { type RunningCli, startCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { fillModelFolder, installStandIn, writeCatalogue } from '../llama-omni/install-stand-in.ts';
import { GatewayClient } from './gateway-server-client.ts';

let gateway: RunningCli | undefined;

afterEach(async () => {
  gateway?.child.kill('SIGKILL');
  await gateway?.ended;
});

/** Runs `parley gateway --model` with the stand-in. */
async function serveModel() {
  const at = workFolder();
  const server = await installStandIn(at('bin'), { loadMs: 400, stepMs: 20 });
  fillModelFolder(at('model'));
  writeCatalogue(at('catalogue.json'), at('model'));
  mkdirSync(at('state'));
  const env = {
    ...process.env,
    PARLEY_MODEL_CATALOGUE: at('catalogue.json'),
    PARLEY_STATE_DIR: at('state'),
  };
  const args = ['--model', at('model'), '--server', server, '--port', '0', '--json'];
  gateway = startCli(['gateway', ...args], '', env);
  const [, url = ''] = await gateway.waitForOutput(/"url":"([^"]+)"/u);
  const log = (): string => readFileSync(at('state/logs/model-server.log'), 'utf8');
  const loadMs = (): number => {
    const text = readFileSync(at('state/model-server.json'), 'utf8');
    return (JSON.parse(text) as { readonly loadMs: number }).loadMs;
  };
  return { gateway, url, loads: () => log().match(/all models loaded/gu)?.length, loadMs };
}

it('parley gateway --model loads the model for a chat after a talk, while the chat waits', async () => {
  const { gateway, url, loads, loadMs } = await serveModel();
  const talk = new GatewayClient(`${url}?mode=audio`, 'unified');
  await talk.received('admitted');
  talk.ask({ kind: 'configure', settings: {} });
  await talk.received('created');
  expect(talk.kinds).not.toContain('queued');
  expect(loads()).toBe(1);

  const chat = new GatewayClient(`${url}?mode=chat`, 'unified');
  await chat.received('queued');
  chat.ask({ kind: 'configure', settings: {} });
  talk.ask({ kind: 'close', reason: 'user_stop' });
  await talk.ended;
  await chat.received('admitted');
  expect(loads()).toBe(2);
  const [first, ...updates] = chat.events.filter(({ kind }) => kind === 'queued');
  expect(first).toMatchObject({ stage: 'joined', position: 1 });
  expect(updates.at(-1)).toMatchObject({ stage: 'moved', position: 1, length: 1 });
  expect(updates.at(-1)).toHaveProperty('etaSeconds', Math.ceil(loadMs() / 1000));
  await chat.received('created');
  expect(loads()).toBe(2);
  chat.ask({ kind: 'close', reason: 'user_stop' });
  await chat.ended;

  const next = new GatewayClient(`${url}?mode=video`, 'unified');
  await next.received('admitted');
  expect(next.kinds).toContain('queued');
  expect(loads()).toBe(3);
  next.socket.terminate();
  gateway.child.kill('SIGINT');
  const { code, err } = await gateway.ended;
  expect(code).toBe(0);
  expect(err).toMatch(/^Loading the model, about 40 s\n/u);
});
