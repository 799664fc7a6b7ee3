import { expect, it, test } from 'vitest';
import { ChatProcess } from '../../../../electron/model/chat-process.ts';
import { appError, failure, type Outcome } from '../../../../shared/errors/app-error.ts';
import { Listeners } from '../../../../shared/listeners.ts';
import type {
  ModelHardware,
  ModelServerState,
} from '../../../../shared/model/local-model-state.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import { bestCard, hasRoomForTwo, judgeCard } from '../../../../electron/model/hardware-verdict.ts';

// First the process of the model's second copy, which answers chats; then the verdict about a graphics card.

const gigabyte = 1e9;
const ready: ModelServerState = { kind: 'ready', pace: undefined };
const loaded: Outcome<string> = { ok: true, value: 'ws://127.0.0.1:1/backend' };

/** A server whose outcome and state a test sets. */
class FakeServer {
  readonly #listeners = new Listeners<ModelServerState>();
  state: ModelServerState = { kind: 'stopped' };
  outcome: Outcome<string> = loaded;
  readonly expectedLoadMs = 30_000;
  hasSessions = false;
  starts = 0;
  letGoes = 0;

  readonly listen = (listener: (state: ModelServerState) => void) => this.#listeners.add(listener);

  show(state: ModelServerState): void {
    this.state = state;
    this.#listeners.emit(state);
  }

  ready(): Promise<Outcome<string>> {
    this.starts += 1;
    const { outcome } = this;
    this.show(outcome.ok ? ready : { kind: 'failed', error: outcome.error });
    return Promise.resolve(outcome);
  }

  unload(): Promise<void> {
    this.letGoes += 1;
    this.show({ kind: 'stopped' });
    return Promise.resolve();
  }
}

function stage({ freeGb = 14, hasRoomForTwo = true } = {}) {
  const [server, talks] = [new FakeServer(), new FakeServer()];
  talks.state = ready;
  const found = { freeGb, looks: 0 };
  const choice = { isWanted: true };
  const card = () =>
    ({
      name: 'NVIDIA',
      kind: 'nvidia',
      memoryBytes: 25 * gigabyte,
      freeBytes: found.freeGb * gigabyte,
    }) as const;
  const examine = (): Promise<ModelHardware> => {
    found.looks += 1;
    const facts = { memoryBytes: 1, freeDiskBytes: undefined, verdict: 'fit' } as const;
    return Promise.resolve({ card: card(), ...facts, hasRoomForTwo });
  };
  const isWanted = () => choice.isWanted;
  const chats = new ChatProcess({
    log: new FakeLog(),
    server,
    talks,
    isWanted,
    examineHardware: examine,
  });
  return { chats, server, talks, found, choice };
}

it('the chat process starts for the first chat if the card has room, and is reused without checking the card again', async () => {
  const { chats, server, found } = stage();
  expect(chats.waitFor()).toEqual({ seconds: undefined });
  expect(server.starts).toBe(0);
  expect(await chats.ready()).toEqual(loaded);
  expect(chats.place).toEqual({ kind: 'own', server: ready });
  expect(chats.waitFor()).toBeUndefined();
  await chats.ready();
  expect(found.looks).toBe(1);
});

it('the chat process lets chats take turns with talks if the card has no room or the user chose to take turns', async () => {
  const small = stage({ hasRoomForTwo: false });
  expect(await small.chats.ready()).toBeUndefined();
  expect(small.chats.place).toBeUndefined();
  const { chats, server, found, choice } = stage();
  choice.isWanted = false;
  expect(await chats.ready()).toBeUndefined();
  expect([small.server.starts, server.starts, found.looks]).toEqual([0, 0, 0]);
});

it('the chat process also needs room for the talk’s model while that model is not loaded', async () => {
  const { chats, talks, server } = stage({ freeGb: 14 });
  talks.state = { kind: 'stopped' };
  expect(await chats.ready()).toBeUndefined();
  expect(server.starts).toBe(0);
  expect(chats.place).toMatchObject({ kind: 'turns', error: { code: 'modelCardMemory' } });
});

it('the chat process checks the free memory only after the talk’s model has loaded', async () => {
  const { chats, talks, found, server } = stage({ freeGb: 23 });
  talks.state = { kind: 'loading', progress: 0, secondsLeft: 20 };
  chats.noteHardware({
    card: undefined,
    memoryBytes: 1,
    freeDiskBytes: undefined,
    verdict: 'fit',
    hasRoomForTwo: true,
  });
  expect(chats.waitFor()).toEqual({ seconds: 50 });
  const asked = chats.ready();
  expect([talks.starts, found.looks]).toEqual([1, 0]);
  await asked;
  expect([found.looks, server.starts]).toEqual([1, 1]);
});

it.each([
  appError('modelCardMemory'),
  appError('modelPortTaken'),
  appError('modelCrashLoop', { times: 3 }),
])(
  'the chat process gives up after $code, and tries again when the settings change',
  async (error) => {
    const { chats, server } = stage();
    server.outcome = { ok: false, error };
    expect(await chats.ready()).toBeUndefined();
    expect(chats.place).toEqual({ kind: 'turns', error });
    server.outcome = loaded;
    expect(await chats.ready()).toBeUndefined();
    expect(server.starts).toBe(1);
    chats.tryAgain();
    expect(await chats.ready()).toEqual(loaded);
    expect(chats.place?.kind).toBe('own');
  },
);

it('the chat process does not report a missing program, because the process of talks does', async () => {
  const { chats, server } = stage();
  server.outcome = failure('modelProgramMissing');
  expect(await chats.ready()).toBeUndefined();
  expect(chats.place?.kind).toBe('own');
  server.outcome = loaded;
  expect(await chats.ready()).toEqual(loaded);
});

it('the chat process ends for a talk that has too little memory, and for no other failure', async () => {
  const { chats, server } = stage();
  expect(chats.freeMemory(appError('modelCardMemory'))).toBeUndefined();
  await chats.ready();
  expect(chats.freeMemory(appError('modelKilled'))).toBeUndefined();
  await chats.freeMemory(appError('modelCardMemory'));
  expect(server.letGoes).toBe(1);
  expect(chats.place).toMatchObject({ kind: 'turns', error: { code: 'modelCardMemory' } });
});

it('the chat process stops when the user turns it off', async () => {
  const { chats, server, choice } = stage();
  await chats.ready();
  choice.isWanted = false;
  chats.tryAgain();
  await flushPromises();
  expect(server.state.kind).toBe('stopped');
  expect(chats.place).toBeUndefined();
});

it('the chat process is not started again after it crashed too often between chats', async () => {
  const { chats, server } = stage();
  await chats.ready();
  server.show({ kind: 'failed', error: appError('modelCrashLoop', { times: 3 }) });
  expect(chats.place?.kind).toBe('turns');
  expect(await chats.ready()).toBeUndefined();
});

it('the chat process counts as busy while it loads and while it has a session', async () => {
  const { chats, server } = stage();
  await chats.ready();
  expect(chats.isBusy).toBe(false);
  server.hasSessions = true;
  expect(chats.isBusy).toBe(true);
  server.hasSessions = false;
  server.show({ kind: 'loading', progress: 0, secondsLeft: 9 });
  expect(chats.isBusy).toBe(true);
});

const mebibyte = 1024 ** 2;

function card(
  kind: 'nvidia' | 'amd' | 'intel' | 'apple',
  name: string,
  megabytes: number | undefined,
  computeCapability?: number,
) {
  const memoryBytes = megabytes === undefined ? undefined : megabytes * mebibyte;
  return { kind, name, memoryBytes, freeBytes: undefined, computeCapability };
}

test.each([
  ['fit', card('nvidia', 'NVIDIA GeForce RTX 3060', 12_288, 8.6)],
  ['fit', card('nvidia', 'NVIDIA GeForce RTX 4070', 12_282, 8.9)],
  ['uncertain', card('nvidia', 'NVIDIA GeForce RTX 3080', 10_240, 8.6)],
  ['uncertain', card('nvidia', 'Tesla P40', 24_576, 6.1)],
  ['tooSmall', card('nvidia', 'NVIDIA GeForce RTX 4060', 8188, 8.9)],
  ['uncertain', card('amd', 'AMD Radeon RX 7900 XT', 20_464)],
  ['tooSmall', card('amd', 'AMD', 512)],
  ['noCard', card('intel', 'Intel', undefined)],
  ['fit', card('apple', 'Apple M4 Max', 36_864)],
  ['tooSmall', card('apple', 'Apple M4', 32_768)],
  ['noCard', undefined],
] as const)('the verdict is %s for %o', (verdict, found) => {
  expect(judgeCard(found)).toBe(verdict);
});

test('a recent card is better than an older one with more memory', () => {
  const recent = card('nvidia', 'NVIDIA GeForce RTX 3060', 12_288, 8.6);
  expect(bestCard([card('nvidia', 'Tesla P40', 24_576, 6.1), recent])).toBe(recent);
});

test.each([
  [true, 24_564, 23_000],
  [true, 20_464, 19_000],
  [false, 16_376, 16_000],
  [false, 24_564, undefined],
])('room for two models is %s on a card of %s MB with %s MB free', (fits, megabytes, free) => {
  const { freeBytes: _unknown, ...rest } = card('nvidia', 'NVIDIA', megabytes, 8.9);
  const freeBytes = free === undefined ? undefined : free * mebibyte;
  expect(hasRoomForTwo({ ...rest, freeBytes })).toBe(fits);
});
