import { expect, it } from 'vitest';
import {
  serializeTalk,
  TalkSource,
  TapedTalkSource,
} from '../../../../../electron/recordings/history/talk-source.ts';
import { done, failure } from '../../../../../shared/errors/app-error.ts';
import { FakeTalkStore } from '../../../../fakes/fake-talk-store.ts';
import { unwrap } from '../../../../fakes/unwrap.ts';

it('a talk keeps the words that are added while it is pinned', async () => {
  const store = new FakeTalkStore();
  const record = { title: '', pinned: false, mode: 'audio', server: { name: 'Studio' } } as const;
  const times = { begunAt: 0, savedAt: 1000 };
  await store.write(
    'one',
    serializeTalk({ ...record, ...times, turns: [], events: [], pictures: [] }),
  );
  const texts = new TalkSource(store);
  const noTapes = {
    list: () => Promise.resolve({ ok: true, value: [] } as const),
    find: () => Promise.resolve(done),
    remove: () => Promise.resolve(done),
    pathOf: (name: string) => name,
  };
  const talks = new TapedTalkSource(texts, noTapes, () => Promise.resolve(failure('tapeModeless')));
  const words = { at: 5, text: 'Hello', transcribed: 'byMachine' } as const;
  await Promise.all([texts.addWords('one', words), talks.pin('one', true)]);
  const stored = unwrap(await talks.record('one')).record;
  expect(stored).toMatchObject({ pinned: true, turns: [{ by: 'person', text: 'Hello' }] });
});
