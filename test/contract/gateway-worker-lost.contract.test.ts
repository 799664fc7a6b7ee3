import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import { speech } from '../llama-omni/backend-client.ts';
import { StandInProcess } from '../llama-omni/stand-in-process.ts';
import { GatewayClient } from './gateway-server-client.ts';
import { gatewayHarness } from './gateway-server-harness.ts';

const { serveBackends } = gatewayHarness();
const silence = new Float32Array(16_000);
const statusRule = z.object({
  idle_workers: z.number(),
  busy_workers: z.number(),
  queue_length: z.number(),
  workers: z.array(z.object({ name: z.string(), state: z.string() })),
});

const models = [new StandInProcess(), new StandInProcess()];

afterEach(async () => {
  for (const model of models) await model.end();
});

async function startSession(url: string): Promise<GatewayClient> {
  const client = new GatewayClient(`${url}?mode=audio`, 'unified');
  await client.received('admitted');
  client.send({ kind: 'configure', settings: {} });
  await client.received('created');
  return client;
}

/** Speaks to the model and listens until its answer begins. */
async function converse(client: GatewayClient): Promise<void> {
  const from = client.events.length;
  for (let step = 0; ; step += 1) {
    client.send({ kind: 'append', audio: step === 0 ? speech : silence });
    await client.next();
    if (client.kinds.slice(from).includes('output')) return;
    if (client.kinds.includes('closed')) throw new Error('the session has ended');
  }
}

it('two clients talk while a third waits; a killed model server ends one talk and later serves the third', async () => {
  for (const model of models)
    await model.start({ takesAnyPace: true, loadMs: 10, stepMs: 10, lateSound: { ms: 20 } });
  const [killed = '', other = ''] = models.map(({ url }) => url);
  const url = await serveBackends(models.map((model) => connectBackend(new URL(model.url))));
  const status = async () => {
    const response = await fetch(new URL('/status', url.replace('ws:', 'http:')));
    const { workers, ...counts } = statusRule.parse(await response.json());
    return { ...counts, ...Object.fromEntries(workers.map(({ name, state }) => [name, state])) };
  };
  const first = await startSession(url);
  const second = await startSession(url);
  await Promise.all([converse(first), converse(second)]);
  const third = new GatewayClient(`${url}?mode=audio`, 'unified');
  expect(await third.received('queued')).toMatchObject({ position: 1, length: 1 });
  expect(await status()).toEqual({
    idle_workers: 0,
    busy_workers: 2,
    queue_length: 1,
    [killed]: 'busy',
    [other]: 'busy',
  });

  models[0]?.signal('SIGKILL');
  expect((await first.received('closed')).reason).toBe('backend_error');
  expect((await first.ended).code).toBe(1000);
  expect(await status()).toMatchObject({
    busy_workers: 1,
    queue_length: 1,
    [killed]: 'lost',
    [other]: 'busy',
  });
  await converse(second);
  expect(third.kinds).not.toContain('admitted');

  await models[0]?.restart();
  await third.received('admitted');
  third.send({ kind: 'configure', settings: {} });
  await third.received('created');
  await Promise.all([converse(second), converse(third)]);
  expect(await status()).toMatchObject({
    busy_workers: 2,
    queue_length: 0,
    [killed ?? '']: 'busy',
  });
  expect((await models[0]?.report())?.turnsSpoken).toBe(1);
  expect(third.kinds).not.toContain('error');
  for (const client of [second, third]) client.socket.terminate();
}, 60_000);
