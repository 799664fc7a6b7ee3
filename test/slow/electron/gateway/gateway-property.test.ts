import { expect, it } from 'vitest';
import { flushPromises } from '../../../fakes/promises.ts';
import type { Fault, GatewayOptions } from '../../../../electron/gateway/gateway-options.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import type { ClientEvent, DialectName } from '../../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { fakeJpeg } from '../../../fakes/fake-pictures.ts';
import { randomRuns, seeded } from '../../../fakes/seeded.ts';
import {
  setGatewayScene,
  silence,
  spokenTo,
  voice,
} from '../../../unit/electron/gateway/gateway-client.ts';
import { splitGeneratedAnswers } from '../../../unit/electron/tools/generated-answers.ts';

const server = createServerCodec(bufferBase64);
const client = createClientCodec(bufferBase64);

type Pick = <Value>(values: readonly [Value, ...Value[]]) => Value;

const picker =
  (random: () => number): Pick =>
  (values) =>
    values[Math.floor(random() * values.length)] ?? values[0];

function randomEvent(pick: Pick): ClientEvent {
  const settings = { generation: { forceListenCount: pick([undefined, 0, 3]) } };
  const audio = pick([silence(1000), spokenTo, voice(1000), silence(100), new Float32Array(0)]);
  const frames = pick([undefined, [], [fakeJpeg], [Uint8Array.of(0)]]);
  const maxSlices = pick([undefined, undefined, 1, 9, 10, -1, 1.5]);
  const content = pick(['hello', '', 'Reply with exactly: x', 'help', 'what did I say?']);
  return pick<ClientEvent>([
    { kind: 'configure', settings },
    { kind: 'append', audio, frames, maxSlices, forceListen: pick([undefined, true]) },
    { kind: 'append', audio: spokenTo },
    { kind: 'append', audio: silence(1000) },
    {
      kind: 'chat',
      messages: [{ role: pick(['user', 'system', 'assistant']), content }],
      streaming: pick([undefined, false]),
      speech: pick([undefined, { enabled: true }]),
      maxNewTokens: pick([undefined, 1, 0]),
    },
    { kind: 'close', reason: pick(['', 'user_stop']) },
  ]);
}

/** A valid frame, one in the wrong dialect, a truncated or altered one, or another message. */
function randomFrame(pick: Pick, random: () => number): string | undefined {
  const ask = randomEvent(pick);
  const dialect = ask.kind === 'chat' ? 'unified' : pick<DialectName>(['unified', 'legacy']);
  const right = client.encodeClientEvent(ask, dialect);
  const at = Math.floor(random() * right.length);
  const letter = String.fromCharCode(Math.floor(random() * 0x3_00));
  const json = pick([null, 7, [], {}, '', true, { type: 'input.append' }, { type: 3 }]);
  return pick([
    right,
    right,
    right,
    right.slice(0, at),
    right.slice(0, at) + letter + right.slice(at + 1),
    JSON.stringify(json),
    letter.repeat(20),
    undefined,
  ]);
}

const faults: readonly [readonly Fault[], ...(readonly Fault[])[]] = [
  [],
  [],
  [{ kind: 'delay', ms: 100, jitterMs: 90 }],
  [
    { kind: 'drop', atStep: 2 },
    { kind: 'shortFirstChunk', ms: 0 },
  ],
  [
    { kind: 'garbage', atStep: 1, what: 'nan' },
    { kind: 'shutdown', afterMs: 3000 },
  ],
  [
    { kind: 'workerDown', session: 1 },
    { kind: 'handover403', session: 2 },
  ],
];

async function play(seed: number): Promise<string> {
  const random = seeded(seed);
  const pick = picker(random);
  const dialect = pick<DialectName>(['unified', 'legacy']);
  const options: Partial<GatewayOptions> = {
    dialect,
    profile: pick(['documented', 'deployed']),
    workers: pick([1, 2]),
    queueLimit: pick([0, 1, 3]),
    contextTokens: pick([200, 8192]),
    faults: pick(faults),
  };
  const scene = setGatewayScene(options, { codec: server, random: seeded(seed + 1) });
  // Deployed servers reject unknown modes.
  const odd = options.profile === 'documented' ? 'nonsense' : undefined;
  const visitors = Array.from({ length: 4 }, () =>
    scene.enter(pick(['audio', 'video', 'chat', undefined, odd])),
  );
  for (let turn = 0; turn < 40; turn += 1) {
    const visitor = pick([...visitors] as [(typeof visitors)[0], ...typeof visitors]);
    const frame = turn < 4 ? client.encodeClientEvent(first, dialect) : undefined;
    visitor.caller.receive(frame ?? randomFrame(pick, random));
    if (random() < 0.03) visitor.caller.disconnected();
    scene.clock.advance(Math.floor(random() * 1500));
    await flushPromises();
  }
  const after = visitors.map(({ frames, closed }) => (closed === undefined ? -1 : frames.length));
  if (options.faults?.every(({ kind }) => kind !== 'delay') === true) {
    for (const visitor of visitors) visitor.caller.receive('{}');
    scene.clock.advance(10_000);
    await flushPromises();
    for (const [nr, { frames }] of visitors.entries()) {
      const count = after[nr] ?? -1;
      if (count >= 0) expect(frames).toHaveLength(count);
    }
  }
  void scene.gateway.end();
  scene.clock.advance(10_000);
  await flushPromises();
  return JSON.stringify(visitors.map(({ frames, closed, wasCut }) => [frames, closed, wasCut]));
}

const first: ClientEvent = { kind: 'configure', settings: {} };

it('the gateway never throws, whatever the input and its order, and sends nothing after it has closed', async () => {
  for (let seed = 0; seed < randomRuns(200); seed += 1) await play(seed);
}, 60_000);

it('the gateway gives the same result for the same seed, and different results for different seeds', async () => {
  const runs: string[] = [];
  for (let seed = 1000; seed < 1030; seed += 1) {
    const run = await play(seed);
    expect(await play(seed)).toBe(run);
    runs.push(run);
  }
  // Two runs may be equal by chance.
  expect(new Set(runs).size).toBeGreaterThan(25);
});

it('10,000 generated answers never show a call as text or run text as a call, however they are split', () => {
  expect(splitGeneratedAnswers(10_000)).toBeGreaterThan(8000);
});
