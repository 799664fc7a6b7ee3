import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultGatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../electron/gateway/in-process-sockets.ts';
import { unpackTape } from '../../electron/platform/files/zip.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createVirtualClock } from '../../electron/recordings/replay/virtual-clock.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { coreWithFakes } from '../fakes/core-with-fakes.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { fakeSpeech } from '../fakes/fake-speech.ts';
import { seeded } from '../fakes/seeded.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { putStoredTape } from '../fixtures/stored-tape.ts';

let clock: ReturnType<typeof createVirtualClock>;
let server: ReturnType<typeof openGateway>;
let core: ReturnType<typeof coreWithFakes>;
let tapes: string;

beforeEach(() => {
  const state = workFolder()('state');
  tapes = join(state, 'tapes');
  mkdirSync(tapes, { recursive: true });
  for (const [name, from] of Object.entries({
    evening: 'audio-interrupted',
    morning: 'legacy',
    written: 'chat',
  }))
    putStoredTape(from, join(tapes, name));
  clock = createVirtualClock();
  const codec = createServerCodec(bufferBase64);
  server = openGateway(
    { ...defaultGatewayOptions },
    { clock, random: seeded(11), codec, pictures: fakePictures(), speech: fakeSpeech },
  );
  core = coreWithFakes(state, clock, {
    embeddedGateway: () => Promise.resolve({ ok: true, value: inProcessSockets(server, clock) }),
  });
});
afterEach(async () => {
  void server.end();
  await core.lifetime.end();
});

/** Advances the clock until the promise settles or `isEnough` returns true. */
async function timeUntil<Value>(
  settled: Promise<Value>,
  isEnough = (): boolean => false,
): Promise<Value | undefined> {
  const result: { value?: Value; isSettled?: true } = {};
  const settle = async (): Promise<void> => {
    try {
      result.value = await settled;
    } catch {
      // The caller gets the rejection from the promise itself.
    }
    result.isSettled = true;
  };
  void settle();
  const done = (): boolean => result.isSettled === true || isEnough();
  for (let steps = 0; !done() && clock.now() < 200_000;) {
    await clock.run(() => done() || (steps += 1) % 20 === 0);
    await new Promise(setImmediate);
  }
  return result.value;
}

it('the window lists the other recorded talks, without chats', async () => {
  const list = await core.ask('comparableTapes', { tape: 'evening' });
  expect(list).toEqual([
    {
      tape: 'morning',
      mode: 'audio',
      server: 'parley:demonstration',
      recordedAt: '2026-01-02T03:04:05.000Z',
    },
  ]);
});

it('the window compares two recorded talks', async () => {
  const comparing = core.ask('compareTapes', { tape: 'evening', other: 'evening' });
  const compared = await timeUntil(comparing);
  expect(compared).toMatchObject({ differs: [], comparison: { sameWords: 1 } });
  expect(compared?.comparison.answers.length).toBeGreaterThan(0);
});

it('the window marks a comparison as incomplete if a recording lacks a picture', async () => {
  putStoredTape('video', join(tapes, 'seen'));
  const compare = () => timeUntil(core.ask('compareTapes', { tape: 'seen', other: 'seen' }));
  expect((await compare())?.incomplete).toBe(false);
  rmSync(join(tapes, 'seen', 'frame-0002.jpg'));
  expect((await compare())?.incomplete).toBe(true);
});

it('the window opens nothing outside the tapes folder', async () => {
  const refused = 'no longer there';
  for (const other of ['../tapes/morning', '..', 'gone']) {
    await expect(core.ask('compareTapes', { tape: 'evening', other })).rejects.toThrow(refused);
    await expect(core.ask('rerunTape', { tape: other, server: 'embedded' })).rejects.toThrow(
      refused,
    );
  }
});

it('the window reruns a talk on a server, reports progress, and keeps the new tape', async () => {
  const sent = core.ask('rerunTape', { tape: 'morning', server: 'embedded' });
  const made = await timeUntil(sent);
  const phases = core.payloads('rerunProgress').map(({ phase }) => phase);
  expect(phases[0]).toBe('connecting');
  expect(phases.at(-1)).toBe('live');
  const { doneMs, ofMs } = core.payloads('rerunProgress').at(-1) ?? { doneMs: 0, ofMs: 0 };
  expect(ofMs).toBeGreaterThan(3000);
  expect(doneMs).toBeLessThanOrEqual(ofMs);
  expect(readdirSync(tapes)).toContain(made?.tape);
  const list = await core.ask('comparableTapes', { tape: 'morning' });
  expect(list.map(({ tape }) => tape)).toContain(made?.tape);
  const compared = await timeUntil(
    core.ask('compareTapes', { tape: 'morning', other: made?.tape ?? '' }),
  );
  expect(compared?.comparison.answers.every(({ other }) => other !== undefined)).toBe(true);
});

it('the window reruns one talk at a time, and stops on request without leaving a tape', async () => {
  const sent = core.ask('rerunTape', { tape: 'morning', server: 'embedded' });
  const stopped = expect(sent).rejects.toThrow('stopped before its end');
  await timeUntil(sent, () => core.payloads('rerunProgress').some(({ phase }) => phase === 'live'));
  await expect(core.ask('rerunTape', { tape: 'evening', server: 'embedded' })).rejects.toThrow(
    'already',
  );
  await core.ask('stopRerun', undefined);
  await timeUntil(sent.catch(() => undefined));
  await stopped;
  // Half of a talk is of no use for a comparison.
  expect(readdirSync(tapes).toSorted()).toEqual(['evening', 'morning', 'written']);
});

it('the window ends a rerun whose recording has a gap, and leaves no tape of it', async () => {
  const begun = vi.spyOn(core.tapes, 'begin');
  const sent = core.ask('rerunTape', { tape: 'morning', server: 'embedded' });
  const ended = expect(sent).rejects.toThrow('could not be recorded');
  await timeUntil(sent, () => core.payloads('rerunProgress').some(({ phase }) => phase === 'live'));
  const [, , , reportError] = begun.mock.lastCall ?? [];
  reportError?.({ code: 'tapeGap', facts: {} });
  await timeUntil(sent.catch(() => undefined));
  await ended;
  expect(readdirSync(tapes).toSorted()).toEqual(['evening', 'morning', 'written']);
});

it('the window rejects an unknown server and the recording of a chat', async () => {
  await expect(core.ask('rerunTape', { tape: 'morning', server: 'gone' })).rejects.toThrow();
  await expect(core.ask('rerunTape', { tape: 'written', server: 'embedded' })).rejects.toThrow(
    'recording of a chat',
  );
});

type Core = ReturnType<typeof coreWithFakes>;

const cores: Core[] = [];
afterEach(async () => {
  for (const core of cores.splice(0)) await core.lifetime.end();
});

const stamp = '2026-11-20T10-00-00-000Z';
const ref = { kind: 'talk', id: stamp } as const;
const all = { skip: 0, count: 50, filter: {} };

async function withTape(): Promise<{ readonly core: Core; readonly at: (name: string) => string }> {
  const at = workFolder();
  const example = new URL('../../resources/tapes/voice.parleytape', import.meta.url).pathname;
  const unpacked = unwrap(await unpackTape(example));
  mkdirSync(at('state/tapes/no-tape-at-all'), { recursive: true });
  renameSync(unpacked.folder, at(`state/tapes/${stamp}`));
  writeFileSync(at('state/tapes/no-tape-at-all/tape.ndjson'), 'nothing\n');
  const core = coreWithFakes(at('state'));
  cores.push(core);
  return { core, at };
}

async function listed(core: Core) {
  await vi.waitFor(
    async () => {
      expect((await core.ask('history', all)).complete).toBe(true);
    },
    // Reading a tape is slow under load.
    { timeout: 15_000 },
  );
  return (await core.ask('history', all)).entries;
}

describe('a tape of a talk without a text record', () => {
  it('is listed and opened; a folder without a tape is not', async () => {
    const { core } = await withTape();
    const entries = await listed(core);
    expect(entries).toMatchObject([
      { kind: 'talk', id: stamp, mode: 'audio', tape: true, title: '', firstWords: '' },
    ]);
    const [item] = entries;
    expect(item?.kind === 'talk' && item.seconds).toBeGreaterThan(10);
    const opened = await core.ask('talkRecord', { id: stamp });
    expect(opened).toMatchObject({ tape: true });
    expect(opened.bytes).toBeGreaterThan(100_000);
    expect(opened.record.server.name).toBe('Demonstration');
    expect(core.payloads('talkTrouble')).toEqual([]);
    await core.ask('openReplay', { kind: 'tape', tape: stamp });
  });

  it('can be renamed, and is deleted with the talk', async () => {
    const { core, at } = await withTape();
    await listed(core);
    expect((await core.ask('showHistory', { ref })).path).toBe(at(`state/tapes/${stamp}`));
    await core.ask('renameHistory', { ...ref, title: 'Tea' });
    expect(await listed(core)).toMatchObject([{ title: 'Tea', tape: true }]);
    expect((await core.ask('talkRecord', { id: stamp })).record.turns).toEqual([]);
    await core.ask('removeHistory', { list: [ref], tapes: true });
    expect(await listed(core)).toEqual([]);
    expect(readdirSync(at('state/tapes'))).toEqual(['no-tape-at-all']);
  });

  it('is deleted with the talk even if the user keeps tapes, because it is the only copy', async () => {
    const { core, at } = await withTape();
    await listed(core);
    await core.ask('removeHistory', { list: [ref], tapes: false });
    expect(await listed(core)).toEqual([]);
    expect(readdirSync(at('state/tapes'))).toEqual(['no-tape-at-all']);
    await expect(core.ask('talkRecord', { id: stamp })).rejects.toThrow('no longer exists');
  });
});
