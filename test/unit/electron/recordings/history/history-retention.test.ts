import { describe, expect, it } from 'vitest';
import { HistoryRetention } from '../../../../../electron/recordings/history/retention.ts';
import {
  serializeTalk,
  TalkSource,
} from '../../../../../electron/recordings/history/talk-source.ts';
import type { HistoryRef } from '../../../../../shared/recordings/history-item.ts';
import { FakeChatStore } from '../../../../fakes/fake-chat-store.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeDataFolder } from '../../../../fakes/fake-data-folder.ts';
import { FakeTalkStore } from '../../../../fakes/fake-talk-store.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';
import { done } from '../../../../../shared/errors/app-error.ts';

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
) {
  const store = new FakeTalkStore();
  // Versions date all files to times 1 to 5.
  await store.write('old', talk(50));
  await store.write('pinned', talk(50, true));
  await store.write('newer', talk(150));
  await store.write('damaged', '{');
  const chatStore = new FakeChatStore();
  chatStore.put('chat', '50 old');
  const trashed: string[] = [];
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
        return Promise.resolve(done);
      },
    },
    shouldKeepTape: (name) => Promise.resolve(name === 'pinned'),
    talkTrash: {
      prune: () => Promise.resolve(done),
      put: (_from, name) => {
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
    reportError: ({ code }) => {
      throw new Error(code);
    },
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
  const tapes = [...tapeFolder.items.keys()];
  return { atStart, trashed, opened, emptied, tapes, forgotten: forgotten.map(({ id }) => id) };
}

describe('history retention', () => {
  it('moves old talks to the trash and out of the list, unless they are pinned', async () => {
    expect(await runRetention({ talkDays: 100 })).toEqual({
      atStart: 0,
      trashed: ['old', 'damaged'],
      opened: 0,
      emptied: 1,
      tapes: ['old', 'pinned', 'recording', 'new'],
      forgotten: ['old', 'damaged'],
    });
  });

  it('tidies conversations only if one of them is old', async () => {
    expect(await runRetention({ days: 100 })).toMatchObject({ trashed: [], opened: 1 });
    expect(await runRetention({ days: 40 })).toMatchObject({ trashed: [], opened: 0 });
  });

  it('moves old tapes to the trash, except saved ones and those being recorded', async () => {
    const { tapes } = await runRetention({ tapeDays: 100 });
    expect(tapes).toEqual(['pinned', 'recording', 'new']);
  });

  it('runs repeatedly in a long session', async () => {
    expect(await runRetention({}, 13)).toMatchObject({ atStart: 0, emptied: 3 });
  });

  it('removes nothing if everything is to stay', async () => {
    const tapes = ['old', 'pinned', 'recording', 'new'];
    expect(await runRetention({})).toMatchObject({ trashed: [], opened: 0, tapes });
  });
});
