import { describe, expect, it } from 'vitest';
import {
  HistoryRetention,
  Retention,
  Trash,
} from '../../../../../electron/recordings/history/retention.ts';
import {
  type AppError,
  done,
  failure,
  type Outcome,
} from '../../../../../shared/errors/app-error.ts';
import type { PrivacySettings } from '../../../../../shared/settings/app-settings.ts';
import { defaultSettings } from '../../../../../shared/settings/settings.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import { flushPromises } from '../../../../fakes/promises.ts';
import {
  serializeTalk,
  TalkSource,
} from '../../../../../electron/recordings/history/talk-source.ts';
import { HistoryChanges } from '../../../../../electron/recordings/history/history-handlers.ts';
import type { HistoryRef } from '../../../../../shared/recordings/history-item.ts';
import { FakeChatStore, FakeTalkStore, FakeDataFolder } from '../../../../fakes/fake-stores.ts';

const day = 86_400_000;
const begin = 20_000 * day + day / 3;

/** A computer with these privacy settings. `start` starts Parley that many days after the first day. */
function computer(privacy: Partial<PrivacySettings> = {}) {
  const disk = new Map<string, string>();
  const reported: AppError[] = [];
  const start = async (atDay: number): Promise<Retention> => {
    const retention = new Retention({
      file: new FakeStateFile(disk, 'retention'),
      clock: new FakeClock(),
      wallNow: () => begin + atDay * day,
      privacy: () => ({ ...defaultSettings.privacy, keepChats: true, ...privacy }),
      onPostponed: (error) => reported.push(error),
    });
    retention.begin();
    await retention.end();
    return retention;
  };
  const cutoffOn = async (atDay: number): Promise<number | undefined> => {
    const cutoff = (await start(atDay)).cutoff('days');
    return cutoff === undefined ? undefined : Math.round((cutoff - begin) / day);
  };
  return { disk, reported, start, cutoffOn };
}

describe('the cutoff of retention', () => {
  it('allows deletion from the second day of use on', async () => {
    const { cutoffOn, reported } = computer();
    expect([await cutoffOn(0), await cutoffOn(0), await cutoffOn(1)]).toEqual([
      undefined,
      undefined,
      -29,
    ]);
    expect([await cutoffOn(14), await cutoffOn(28), reported]).toEqual([-16, -2, []]);
  });

  it('waits three days of use after a clock jump, and reports the jump once', async () => {
    const { cutoffOn, reported } = computer();
    for (const atDay of [0, 1]) await cutoffOn(atDay);
    const cutoffs = [];
    for (const atDay of [41, 41, 42, 43, 44]) cutoffs.push(await cutoffOn(atDay));
    expect(cutoffs).toEqual([undefined, undefined, undefined, undefined, 14]);
    expect(reported).toMatchObject([{ code: 'deletionPostponed', facts: { days: 40, wait: 3 } }]);
  });

  it('allows no deletion if the clock is wrong at every start', async () => {
    const { cutoffOn } = computer();
    for (const atDay of [0, 1]) await cutoffOn(atDay);
    for (let atDay = 2; atDay < 12; atDay += 1) {
      expect(await cutoffOn(atDay + 400)).toBeUndefined();
      await cutoffOn(atDay);
    }
  });

  it.each<[jumps: number, Partial<PrivacySettings>]>([
    [0, {}],
    [0, { keepChats: true, keepTalks: 'yes', keepTapes: true }],
    [0, { days: 7, talkDays: 7, tapeDays: 7, keepTalks: 'ask' }],
    [1, { keepChats: true, days: 7 }],
    [1, { keepTalks: 'yes', talkDays: 7 }],
    [1, { keepTapes: true, tapeDays: 7 }],
  ])('reports a jump only if something expires: %i times for %j', async (jumps, privacy) => {
    const forever = { days: 'forever', talkDays: 'forever', tapeDays: 'forever' } as const;
    const { start, reported } = computer({ ...forever, keepChats: false, ...privacy });
    for (const atDay of [0, 40]) await start(atDay);
    expect(reported).toHaveLength(jumps);
  });

  it('applies each limit separately, and reports a clock jump if any limit is set', async () => {
    const { start, reported } = computer({
      keepChats: false,
      keepTalks: 'yes',
      days: 'forever',
      talkDays: 7,
      tapeDays: 90,
    });
    await start(0);
    const retention = await start(1);
    const daysBack = (['days', 'talkDays', 'tapeDays'] as const).map((kind) => {
      const cutoff = retention.cutoff(kind);
      return cutoff === undefined ? undefined : Math.round((cutoff - begin) / day);
    });
    expect(daysBack).toEqual([undefined, -6, -89]);
    await start(41);
    expect(reported).toMatchObject([{ code: 'deletionPostponed' }]);
  });

  it('counts the days of a run of several weeks', async () => {
    const clock = new FakeClock();
    const retention = new Retention({
      file: new FakeStateFile(new Map(), 'retention'),
      clock,
      wallNow: () => begin + clock.now(),
      privacy: () => ({ ...defaultSettings.privacy, keepChats: true }),
      onPostponed: () => {
        throw new Error('A clock jump was reported, although Parley ran all the time.');
      },
    });
    retention.begin();
    clock.advance(40 * day);
    expect([retention.daysOfUse, retention.cutoff('days')]).toEqual([41, begin + 10 * day]);
    await retention.end();
  });

  it.each([
    '{"lastSeenAt": "yesterday"',
    '{"lastSeenAt": 1, "days": -1, "waitUntil": 1}',
    '{"lastSeenAt": "1", "days": 9, "waitUntil": 1}',
    '{"lastSeenAt": 1, "days": 9}',
  ])('starts again from the first day if its state is damaged: %s', async (text) => {
    const { disk, cutoffOn } = computer();
    await cutoffOn(0);
    disk.set('retention.json', text);
    expect([await cutoffOn(1), await cutoffOn(2)]).toEqual([undefined, -28]);
    await flushPromises();
  });
});

const talk = (savedAt: number, pinned = false): string =>
  serializeTalk({
    title: '',
    pinned,
    mode: 'audio',
    server: { name: 'Studio' },
    begunAt: 0,
    savedAt,
    turns: [],
    events: [],
    pictures: [],
  });

/** Runs retention with these cutoffs half a minute after the start; returns what was removed. */
async function runRetention(
  cutoffs: Partial<Record<'days' | 'talkDays' | 'tapeDays', number>>,
  hours = 0,
  trashed: string[] = [],
  tapesPruned: Outcome<undefined> = done,
) {
  const store = new FakeTalkStore();
  // The store numbers its writes, so the four talks have the times 1 to 4.
  await store.write('old', talk(50));
  await store.write('pinned', talk(50, true));
  await store.write('newer', talk(150));
  await store.write('damaged', '{');
  const chatStore = new FakeChatStore();
  chatStore.put('chat', '50 old');
  const reported: string[] = [];
  const forgotten: HistoryRef[] = [];
  const tapeFolder = new FakeDataFolder('/tapes');
  for (const name of ['old', 'pinned', 'recording']) tapeFolder.put(name, 50);
  tapeFolder.put('new', 150);
  let opened = 0;
  let emptied = 0;
  const clock = new FakeClock();
  const retention = new HistoryRetention({
    talks: new TalkSource(store),
    talkFolder: new FakeDataFolder('/talks'),
    tapes: { isRecording: (name) => name === 'recording' },
    tapeFolder,
    tapeTrash: {
      put: (from, name) => from.move(name, `/trash/${name}`),
      prune: () => {
        emptied += 1;
        return Promise.resolve(tapesPruned);
      },
    },
    shouldKeepTape: (name) => Promise.resolve(name === 'pinned'),
    talkTrash: {
      prune: () => Promise.resolve(done),
      put: (_from, name) => {
        if (trashed.includes(name)) return Promise.resolve(failure('fileGone', { path: name }));
        trashed.push(name);
        return Promise.resolve(done);
      },
    },
    chatStore,
    removeExpiredChats: () => {
      opened += 1;
      return Promise.resolve();
    },
    chatTrash: { prune: () => Promise.resolve(done) },
    retention: { cutoff: (kind) => cutoffs[kind] },
    sync: {
      forget: (refs) => {
        forgotten.push(...refs);
        return Promise.resolve(done);
      },
    },
    clock,
    reportError: ({ code }) => reported.push(code),
  });
  retention.begin();
  await flushPromises();
  const atStart = trashed.length + opened + emptied;
  clock.advance(30_000);
  await flushPromises();
  for (let hour = 0; hour < hours; hour += 1) {
    clock.advance(60 * 60 * 1000);
    await flushPromises();
  }
  retention.end();
  clock.advance(24 * 60 * 60 * 1000);
  await flushPromises();
  const tapes = [...tapeFolder.items.keys()];
  const ids = forgotten.map(({ id }) => id);
  return { atStart, trashed, opened, emptied, tapes, forgotten: ids, reported };
}

describe('history retention', () => {
  it('moves old talks to the trash and removes them from the list, unless they are pinned', async () => {
    expect(await runRetention({ talkDays: 100 })).toEqual({
      atStart: 0,
      trashed: ['old', 'damaged'],
      opened: 0,
      emptied: 1,
      tapes: ['old', 'pinned', 'recording', 'new'],
      forgotten: ['old', 'damaged'],
      reported: [],
    });
  });

  it('runs every six hours until its end, and reports the first error of a run', async () => {
    expect(await runRetention({ talkDays: 100 }, 12)).toMatchObject({
      emptied: 3,
      reported: ['fileGone', 'fileGone'],
    });
    const readOnly = failure('readOnly', { path: '/trash' });
    const failing = await runRetention({ talkDays: 100 }, 0, ['old'], readOnly);
    expect(failing).toMatchObject({ forgotten: ['damaged'], reported: ['fileGone'] });
    const { tapes, reported } = await runRetention({ tapeDays: 100 }, 0, [], readOnly);
    expect([tapes.length, reported]).toEqual([3, ['readOnly']]);
  });

  it('opens and removes conversations only if one of them has expired', async () => {
    expect(await runRetention({ days: 100 })).toMatchObject({ trashed: [], opened: 1 });
    expect(await runRetention({ days: 40 })).toMatchObject({ trashed: [], opened: 0 });
  });

  it('moves old tapes to the trash, except those that are saved or being recorded', async () => {
    const { tapes } = await runRetention({ tapeDays: 100 });
    expect(tapes).toEqual(['pinned', 'recording', 'new']);
  });

  it('removes nothing without a cutoff', async () => {
    const tapes = ['old', 'pinned', 'recording', 'new'];
    expect(await runRetention({})).toMatchObject({ trashed: [], opened: 0, tapes });
  });
});

it('the trash deletes an item after seven days of use, and never an item that the user put there', async () => {
  const [tapes, folder] = [new FakeDataFolder('/tapes'), new FakeDataFolder('/trash')];
  let days = 3;
  const trash = new Trash({ folder, daysOfUse: () => days });
  const moved: string[] = [];
  const move: FakeDataFolder['move'] = async (name, to) => {
    moved.push(`${name} ${to}`);
    return done;
  };
  expect(await trash.put(Object.assign(tapes, { move }), 'old')).toEqual(done);
  expect([moved, folder.calls]).toEqual([['old /trash/3-old'], ['make']]);
  for (const name of ['3-old', '10-new', 'by-hand', 'x3-old']) folder.put(name);
  days = 9;
  expect([await trash.prune(), folder.items.size]).toEqual([done, 4]);
  days = 10;
  expect([await trash.prune(), [...folder.items.keys()]]).toEqual([
    done,
    ['10-new', 'by-hand', 'x3-old'],
  ]);
  days = 17;
  const readOnly = failure('readOnly', { path: '/trash' });
  const refuse = (): Promise<typeof readOnly> => Promise.resolve(readOnly);
  Object.assign(folder, { remove: refuse });
  expect(await trash.prune()).toEqual(readOnly);
  Object.assign(folder, { names: refuse, make: refuse });
  expect([await trash.prune(), await trash.put(tapes, 'old')]).toEqual([readOnly, readOnly]);
});

it('the history posts the first change at once and later ones at most every half second, until the history ends', () => {
  const clock = new FakeClock();
  const posted: unknown[] = [];
  const changes = new HistoryChanges({ clock, post: (_name, payload) => posted.push(payload) });
  changes.onChange();
  changes.onChange();
  clock.advance(500);
  expect(posted).toEqual([{ count: 1 }, { count: 2 }]);
  clock.advance(500);
  changes.end();
  changes.onChange();
  clock.advance(10_000);
  expect(posted).toHaveLength(2);
});
