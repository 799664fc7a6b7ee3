import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Backend, createBackendCodec } from '../../electron/gateway/backend.ts';
import { defaultGatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import {
  type GatewayServer,
  serveGateway,
} from '../../electron/platform/gateway/gateway-server.ts';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import type { AppendEvent } from '../../shared/protocol/client-event.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import type { OutputEvent, ServerEvent } from '../../shared/protocol/server-event.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { seeded } from '../fakes/seeded.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { speech } from '../llama-omni/backend-client.ts';
import type { StandInFaults } from '../llama-omni/stand-in-faults.ts';
import { StandInProcess } from '../llama-omni/stand-in-process.ts';
import { GatewayClient } from './gateway-server-client.ts';

const contextTokens = 1_000_000;
const answers = 4;
const latestSoundMs = 500;
const silence = new Float32Array(16_000);
const codec = createBackendCodec(bufferBase64);

let model: StandInProcess;
let server: GatewayServer | undefined;
/** Events of the model server, in their order. */
let sent: ServerEvent[] = [];

afterEach(async () => {
  await server?.end();
  server = undefined;
  await model.end();
});

/** A gateway in front of the process, and the address of its sessions. */
async function open(faults: StandInFaults = {}): Promise<string> {
  model = new StandInProcess();
  await model.start({ loadMs: 20, stepMs: 10, takesAnyPace: true, ...faults }, contextTokens);
  sent = [];
  const gateway = openGateway(
    { ...defaultGatewayOptions, contextTokens },
    {
      clock: systemClock,
      random: seeded(1),
      codec: createServerCodec(bufferBase64),
      pictures: fakePictures(),
      speech: { clips: [] },
      backends: {
        servers: [tapped(new URL(model.url))],
        codec,
        defaultVoice: silence,
        creationMs: faults.neverReady === true ? 300 : undefined,
      },
    },
  );
  server = unwrap(await serveGateway(gateway, { port: 0, log: new FakeLog() }));
  return server.url;
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

async function startSession(url: string, mode: string): Promise<GatewayClient> {
  const client = new GatewayClient(`${url}?mode=${mode}`, 'unified');
  await client.received('admitted');
  client.send({ kind: 'configure', settings: { instructions: 'Be brief.' } });
  await client.received('created');
  return client;
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

describe('a gateway in front of the process of a model server', () => {
  it('passes text and sound of each answer whole, in order and under one id', async () => {
    const client = await startSession(
      await open({
        seed: 5,
        lostListens: 0.2,
        lostFragments: 0.1,
        silentSteps: 0.1,
        lateSound: { ms: 400, jitterMs: 100 },
      }),
      'audio',
    );
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
    const client = await startSession(await open({ lateSound: { ms: 600 } }), 'audio');
    await speak(client);
    const received = sent.length;
    expect((await appendSecond(client, { forceListen: true })).kind).toBe('listen');
    const passed = client.events.length;
    // The sound of the interrupted answer arrives only now.
    while (soundOf(sent.slice(received)).length === 0)
      await appendSecond(client, { forceListen: true });
    expect(outputs(client.events.slice(passed))).toEqual([]);
    await speak(client);
    await listen(client);
    const next = outputs(client.events.slice(passed));
    expect(soundOf(next).length).toBeGreaterThan(0);
    expect(new Set(next.map(({ responseId }) => responseId)).size).toBe(1);
  }, 60_000);

  it('ends a chat turn after its last sound', async () => {
    const client = await startSession(await open(), 'chat');
    const messages = [{ role: 'user', content: 'Reply with exactly: so it is' }] as const;
    client.send({ kind: 'chat', inputId: 'turn', messages, speech: { enabled: true } });
    const done = await client.received('done');
    expect(done).toMatchObject({ inputId: 'turn', text: 'so it is' });
    expect(sent.at(-1)?.kind).toBe('output');
    expect(soundOf(sent).length).toBeGreaterThan(0);
    expect(soundOf(client.events).equals(soundOf(sent))).toBe(true);
    expect(client.events.at(-1)).toBe(done);
  }, 60_000);

  it('closes the session of the model server with that of the client, and serves the next', async () => {
    const url = await open();
    const client = await startSession(url, 'audio');
    await appendSecond(client);
    const sessionFolder = join(model.temporary, 'omni_ws');
    expect(readdirSync(sessionFolder)).toHaveLength(1);
    client.send({ kind: 'close', reason: 'user_stop' });
    expect((await client.received('closed')).reason).toBe('user_stop');
    await client.ended;
    const second = await startSession(url, 'audio');
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
    const client = new GatewayClient(`${await open(faults)}?mode=audio`, 'unified');
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
    const client = await startSession(await open(faults), 'audio');
    await appendSecond(client);
    client.send({ kind: 'append', audio: silence });
    expect((await client.received('closed')).reason).toBe('backend_error');
    await client.ended;
  });
});
