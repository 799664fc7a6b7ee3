import { beforeEach, describe, expect, it } from 'vitest';
import { parseStoredTalk } from '../../../../electron/history/stored-talk.ts';
import type { TalkRecord } from '../../../../shared/history/talk-record.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { byPerson } from '../conversation/stage.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

let stage: TalkControllerHarness;

beforeEach(() => {
  stage = new TalkControllerHarness();
});

const pass = async (ms: number): Promise<void> => {
  stage.clock.advance(ms);
  await flushPromises();
};

const keep = (keepTalks: 'ask' | 'yes' | 'no'): void => {
  stage.settings.change({ privacy: { keepTalks } });
  stage.keeper.settingsChanged();
};

/** Something was said in a talk; with `end` the person ended it. */
async function said(text = 'The boiling point is 100 degrees.', end = true): Promise<void> {
  await stage.live('video');
  stage.session.emit({ event: 'text', turn: 1, text });
  await pass(3000);
  if (!end) return;
  stage.session.close(byPerson);
  await pass(10_000);
}

function stored(id = 'stamp-one'): TalkRecord {
  const { text = '' } = stage.talkStore.stored.get(id) ?? {};
  const record = parseStoredTalk(id, text);
  if (!record.ok) throw new Error(record.error.code);
  return record.value;
}

const frame = (size = 100) => ({
  facts: { at: 0, bytes: size, width: 640, height: 480, slices: 1, tokens: 64 },
  jpeg: new Uint8Array(size),
});

const kinds = (): readonly string[] => stored().events.map(({ kind }) => kind);

describe('a talk whose text is kept', () => {
  beforeEach(() => {
    keep('yes');
  });

  it('stands on the disk while it goes on, as it was heard, without an ending until it has one', async () => {
    await said('The boiling point', false);
    expect(stored()).toMatchObject({
      title: '',
      mode: 'video',
      server: { name: 'The one', address: 'wss://one.example/v1/realtime' },
      turns: [{ by: 'parley', text: 'The boiling point', heard: 0 }],
    });
    expect(stored().ending).toBeUndefined();
    expect(stage.controller.view.keeping.talk).toEqual({ kind: 'kept', id: 'stamp-one' });
    stage.session.close(byPerson);
    await pass(0);
    expect(stored().ending).toMatchObject({ by: 'client', orderly: true });
    // What nobody has heard of it was cut by the end.
    expect(kinds()).toEqual(['began', 'interrupted', 'ended']);
    expect(stage.recordsChanged.at(-1)).toBe('stamp-one');
  });

  it('tells of interruptions, of what went wrong, of devices, and that it went on after its end', async () => {
    await said('The boiling point is', false);
    stage.controller.with((conversation) => {
      conversation.interrupt();
    });
    await pass(2000);
    stage.keeper.hear({
      event: 'devices',
      devices: {
        microphone: { kind: 'lost', error: appError('noTalk') },
        speaker: { kind: 'unknown' },
      },
    });
    stage.keeper.hear({
      event: 'devices',
      devices: { microphone: { kind: 'unknown' }, speaker: { kind: 'unknown' } },
    });
    stage.session.close(byPerson);
    await pass(2000);
    const ended = stored().ending;
    await stage.controller.continue({ carry: 'transcript' });
    stage.session.enter('connecting', 'configuring', 'live');
    await pass(2000);
    expect(ended).toBeDefined();
    expect(stored().ending).toBeUndefined();
    expect(kinds()).toEqual([
      'began',
      'interrupted',
      'deviceLost',
      'deviceBack',
      'ended',
      'continued',
    ]);
    expect(stored().turns[0]?.cutFrom).toBe(0);
  });

  it('has pictures beside it, one in three seconds at the most, and none that is too large', async () => {
    await said('Look', false);
    for (const size of [100, 200, 300, 5_000_000, 400]) {
      stage.keeper.picture(frame(size));
      await pass(1600);
    }
    await pass(2000);
    const { pictures } = stored();
    expect(pictures.map(({ file }) => file)).toEqual([
      'picture-0001.jpg',
      'picture-0002.jpg',
      'picture-0003.jpg',
    ]);
    const files = stage.talkStore.stored.get('stamp-one')?.pictures;
    expect([...(files?.values() ?? [])].map(({ length }) => length)).toEqual([100, 300, 400]);
  });

  it('goes on where the disk is full, says that once, and is kept when there is room again', async () => {
    stage.talkStore.full = true;
    await said('The boiling point', false);
    stage.keeper.picture(frame());
    await pass(40_000);
    expect(stage.posted('talkTrouble')).toMatchObject([
      { code: 'talkUnkept', cause: { code: 'diskFull' } },
    ]);
    expect(stage.controller.view.state.phase).toBe('live');
    stage.talkStore.full = false;
    await pass(20_000);
    expect(stored().turns).toHaveLength(1);
    // What could not be written is not named.
    expect(stored().pictures).toEqual([]);
  });

  it('takes a name and a pin while it goes on, and keeps them when it goes on after its end', async () => {
    await said('The boiling point', false);
    expect(
      stage.keeper.edit('stamp-one', (builder) => {
        builder.rename('Water');
        builder.pin(true);
      }),
    ).toBe(true);
    await flushPromises();
    expect(stored()).toMatchObject({ title: 'Water', pinned: true });
    stage.session.emit({ event: 'text', turn: 1, text: ' is known' });
    await pass(3000);
    expect(stored()).toMatchObject({
      title: 'Water',
      turns: [{ text: 'The boiling point is known' }],
    });
  });

  it('leaves no folder where nothing was said', async () => {
    await stage.live();
    stage.session.close(byPerson);
    await pass(10_000);
    await stage.controller.end();
    await stage.keeper.end();
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
  });

  it('is gone for good where it is deleted while it is still shown', async () => {
    await said();
    await stage.keeper.forget('stamp-one');
    await stage.controller.end();
    await stage.keeper.end();
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
  });

  it('is not kept from the moment on that the person wants none', async () => {
    await said('The secret', false);
    expect([...stage.talkStore.stored.keys()]).toEqual(['stamp-one']);
    keep('no');
    await pass(5000);
    stage.session.emit({ event: 'text', turn: 1, text: ' is out' });
    await pass(5000);
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
    expect(stage.controller.view.keeping.talk).toEqual({ kind: 'unkept' });
  });
});

describe('whether text is kept', () => {
  it('is asked once, at the first end of a talk; until then nothing of it is on the disk', async () => {
    await said('The boiling point', false);
    stage.keeper.picture(frame());
    expect(stage.controller.view.keeping.talk).toEqual({ kind: 'held' });
    stage.session.close(byPerson);
    await pass(0);
    expect(stage.controller.view.keeping.talk).toEqual({ kind: 'asked' });
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
    expect(stage.keeper.answer(true)).toEqual({ ok: true, value: undefined });
    await flushPromises();
    expect(stored()).toMatchObject({ turns: [{ text: 'The boiling point' }], pictures: [{}] });
    expect(stage.settings.get().privacy.keepTalks).toBe('yes');
    expect(stage.posted('talkKeeping').map(({ talk }) => talk.kind)).toEqual([
      'held',
      'asked',
      'kept',
    ]);
    expect(stage.keeper.answer(true)).toMatchObject({ error: { code: 'nothingAsked' } });
  });

  it('holds for those too that ended before anybody said so', async () => {
    await said('one');
    stage.connected = () => Promise.resolve({ ok: true, value: stage.server('two') });
    await said('two');
    stage.keeper.answer(true);
    await flushPromises();
    expect([...stage.talkStore.stored.keys()].toSorted()).toEqual(['stamp-one', 'stamp-two']);
  });

  it('is answered by leaving nothing, where it is not wanted or never answered', async () => {
    await said('one');
    stage.keeper.answer(false);
    await stage.keeper.end();
    stage = new TalkControllerHarness();
    await said('two');
    await stage.controller.end();
    await stage.keeper.end();
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
  });

  it('is asked of what a crash has left, which is kept then', async () => {
    stage.settings.change({ privacy: { keepChats: true } });
    await said('The boiling point', false);
    const left = stage.journalFile.text ?? '';
    stage = new TalkControllerHarness();
    stage.settings.change({ privacy: { keepChats: true } });
    stage.journalFile.leftTexts = [left];
    await stage.controller.restore();
    expect(stage.controller.view.keeping.talk).toEqual({ kind: 'asked' });
    stage.keeper.answer(true);
    await flushPromises();
    const [id = ''] = stage.talkStore.stored.keys();
    expect(stored(id)).toMatchObject({ turns: [{ text: 'The boiling point' }] });
    expect(stored(id).ending).toBeUndefined();
  });
});

describe('an incognito talk', () => {
  it('leaves nothing, whatever is set, and is said to', async () => {
    keep('yes');
    stage.keeper.setIncognito(true);
    expect(stage.controller.view.keeping.incognito).toBe(true);
    stage.incognito = true;
    await said('The secret', false);
    stage.keeper.picture(frame());
    // It stays what it was when it began.
    stage.keeper.setIncognito(false);
    expect(stage.keeper.leavesNothing).toBe(true);
    expect(stage.controller.view.keeping).toEqual({
      incognito: false,
      talk: { kind: 'incognito' },
    });
    stage.session.close(byPerson);
    await pass(5000);
    await stage.controller.end();
    await stage.keeper.end();
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
  });
});
