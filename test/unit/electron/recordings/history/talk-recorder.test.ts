import { beforeEach, describe, expect, it } from 'vitest';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { flushPromises } from '../../../../fakes/promises.ts';
import { endedByUser, lost } from '../../talk/conversation-harness.ts';
import { keptFrame, TalkRecorderHarness } from '../../talk/talk-controller-harness.ts';
import {
  mergeTranscribedTurns,
  recordFromJournal,
  TalkRecordBuilder,
} from '../../../../../electron/recordings/history/talk-record-builder.ts';
import { recordedServer, type TalkRecord } from '../../../../../shared/recordings/talk-record.ts';
import { firstWords } from '../../../../../electron/recordings/history/find-place.ts';

let stage: TalkRecorderHarness;

beforeEach(() => {
  stage = new TalkRecorderHarness();
});

const kinds = (): readonly string[] => stage.stored().events.map(({ kind }) => kind);

describe('the record of a talk', () => {
  beforeEach(() => {
    stage.keep('yes');
  });

  it('is on disk during the talk with what was heard, and gets its ending when the talk ends', async () => {
    await stage.said('The boiling point', false);
    expect(stage.stored()).toMatchObject({
      title: '',
      mode: 'video',
      server: { name: 'The one', address: 'wss://one.example/v1/realtime' },
      turns: [{ by: 'parley', text: 'The boiling point', heard: 0 }],
    });
    expect(stage.stored().ending).toBeUndefined();
    expect(stage.controller.view.storage.talk).toEqual({ kind: 'stored', id: 'stamp-one' });
    stage.session.close(endedByUser);
    await stage.pass(0);
    expect(stage.stored().ending).toMatchObject({ by: 'client', orderly: true });
    // The end of the talk cut the unheard part of the answer. That is not an interruption.
    expect(stage.stored().turns[0]?.cutFrom).toBe(0);
    expect(kinds()).toEqual(['began', 'ended']);
    expect(stage.recordsChanged.at(-1)).toBe('stamp-one');
  });

  it('has no interruption if the user ends the talk during an answer', async () => {
    await stage.said('The boiling point', false);
    stage.controller.withTalk((conversation) => {
      conversation.end();
    });
    stage.session.close(endedByUser);
    await stage.pass(0);
    expect(stage.stored().turns[0]?.cutFrom).toBe(0);
    expect(kinds()).toEqual(['began', 'ended']);
  });

  it('has no interruption where the next session takes over during an answer', async () => {
    await stage.said('The boiling point', false);
    stage.controller.withTalk((conversation) => {
      conversation.handOver('open');
    });
    stage.session.enter('connecting', 'configuring', 'live');
    stage.controller.withTalk((conversation) => {
      conversation.handOver('take');
    });
    await stage.pass(2000);
    expect(stage.stored().turns[0]?.cutFrom).toBe(0);
    expect(kinds()).toEqual(['began']);
  });

  it('has the interruption of an answer that still sounds after its session was lost', async () => {
    await stage.said('The boiling point', false);
    stage.session.emit({ event: 'audio', turn: 1, audio: new Float32Array(240_000).fill(0.3) });
    stage.session.emit({ event: 'turnEnded', turn: 1 });
    stage.session.close(lost);
    stage.controller.withTalk((conversation) => {
      conversation.interrupt();
    });
    await stage.pass(2000);
    expect(kinds()).toEqual(['began', 'reconnecting', 'interrupted']);
  });

  it.each([
    ['a year ahead', 31_536_000_000],
    ['a year back', -31_536_000_000],
  ])('has the right length if the clock is set %s during the talk', async (_, by) => {
    stage.calendarAtStart = 100_000_000_000;
    await stage.said('The boiling point', false);
    const { begunAt } = stage.stored();
    stage.calendarAtStart += by;
    await stage.pass(1000);
    stage.session.emit({ event: 'text', turn: 2, text: 'is 100 degrees.' });
    await stage.pass(2000);
    stage.session.close(endedByUser);
    await stage.pass(0);
    const { savedAt, turns, events } = stage.stored();
    expect(savedAt - begunAt).toBe(stage.clock.now());
    expect(turns.map(({ at }) => at)).toEqual([0, 4000]);
    expect(events.map(({ at }) => at)).toEqual([0, 6000]);
  });

  it('lists interruptions, lost devices, and the continuation of the talk', async () => {
    await stage.said('The boiling point is', false);
    stage.controller.withTalk((conversation) => {
      conversation.interrupt();
    });
    await stage.pass(2000);
    stage.talkRecorder.onEvent({
      event: 'devices',
      devices: {
        microphone: { kind: 'lost', error: appError('noTalk') },
        speaker: { kind: 'unknown' },
      },
    });
    stage.talkRecorder.onEvent({
      event: 'devices',
      devices: { microphone: { kind: 'unknown' }, speaker: { kind: 'unknown' } },
    });
    stage.session.close(endedByUser);
    await stage.pass(2000);
    const ended = stage.stored().ending;
    await stage.controller.continue({ carry: 'transcript' });
    stage.session.enter('connecting', 'configuring', 'live');
    await stage.pass(2000);
    expect(ended).toBeDefined();
    expect(stage.stored().ending).toBeUndefined();
    expect(kinds()).toEqual([
      'began',
      'interrupted',
      'deviceLost',
      'deviceBack',
      'ended',
      'continued',
    ]);
    expect(stage.stored().turns[0]?.cutFrom).toBe(0);
  });

  it('has at most one picture every three seconds, and no picture that is too large', async () => {
    await stage.said('Look', false);
    for (const size of [100, 200, 300, 5_000_000, 400]) {
      stage.talkRecorder.picture(keptFrame(size));
      await stage.pass(1600);
    }
    await stage.pass(2000);
    const { pictures } = stage.stored();
    expect(pictures.map(({ file }) => file)).toEqual([
      'picture-0001.jpg',
      'picture-0002.jpg',
      'picture-0003.jpg',
    ]);
    const files = stage.talkStore.stored.get('stamp-one')?.pictures;
    expect([...(files?.values() ?? [])].map(({ length }) => length)).toEqual([100, 300, 400]);
  });

  it('is written after a full disk has space again, and names no picture that was lost', async () => {
    stage.talkStore.full = true;
    await stage.said('The boiling point', false);
    stage.talkRecorder.picture(keptFrame());
    await stage.pass(40_000);
    expect(stage.posted('talkTrouble')).toMatchObject([
      { code: 'talkTextNotStored', cause: { code: 'diskFull' } },
    ]);
    expect(stage.controller.view.state.phase).toBe('live');
    stage.talkStore.full = false;
    await stage.pass(20_000);
    expect(stage.stored().turns).toHaveLength(1);
    // The record does not name pictures that Parley could not write.
    expect(stage.stored().pictures).toEqual([]);
  });

  it('is not called stored after the talk while the disk is full', async () => {
    await stage.said('The boiling point', false);
    await stage.pass(2000);
    stage.talkStore.full = true;
    stage.session.emit({ event: 'text', turn: 1, text: ' is known' });
    stage.session.close(endedByUser);
    await stage.pass(100);
    expect(stage.controller.view.storage.talk).toEqual({ kind: 'notStored' });
    stage.talkStore.full = false;
    await stage.pass(20_000);
    expect(stage.controller.view.storage.talk).toEqual({ kind: 'stored', id: 'stamp-one' });
    expect(stage.stored().turns).toMatchObject([{ text: 'The boiling point is known' }]);
  });

  it('keeps a title and a pin that are set during the talk', async () => {
    await stage.said('The boiling point', false);
    expect(
      stage.talkRecorder.edit('stamp-one', (builder) => {
        builder.rename('Water');
        builder.pin(true);
      }),
    ).toBe(true);
    await flushPromises();
    expect(stage.stored()).toMatchObject({ title: 'Water', pinned: true });
    stage.session.emit({ event: 'text', turn: 1, text: ' is known' });
    await stage.pass(3000);
    expect(stage.stored()).toMatchObject({
      title: 'Water',
      turns: [{ text: 'The boiling point is known' }],
    });
  });

  it('is not created if nothing was said', async () => {
    await stage.live();
    stage.session.close(endedByUser);
    await stage.pass(10_000);
    await stage.controller.end();
    await stage.talkRecorder.end();
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
  });

  it('stays deleted even if the talk is still on screen', async () => {
    await stage.said();
    await stage.talkRecorder.forget('stamp-one');
    await stage.controller.end();
    await stage.talkRecorder.end();
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
  });

  it('is deleted when the user chooses not to keep the text of talks', async () => {
    await stage.said('The secret', false);
    expect([...stage.talkStore.stored.keys()]).toEqual(['stamp-one']);
    stage.keep('no');
    await stage.pass(5000);
    stage.session.emit({ event: 'text', turn: 1, text: ' is out' });
    await stage.pass(5000);
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
    expect(stage.controller.view.storage.talk).toEqual({ kind: 'notStored' });
  });
});

const record: TalkRecord = {
  title: '',
  pinned: false,
  mode: 'audio',
  server: { name: 'Home' },
  begunAt: 0,
  savedAt: 10_000,
  turns: [
    { by: 'parley', at: 1000, text: 'Hello.', heard: 6 },
    { by: 'parley', at: 5000, text: 'It is late.', heard: 4, cutFrom: 4 },
  ],
  events: [
    { kind: 'interrupted', at: 5500, turn: 1 },
    { kind: 'trouble', at: 6000, error: appError('connectionLost') },
  ],
  pictures: [],
};

it('the record of a talk that a crash cut off names no interruption', () => {
  const talk = { mode: 'audio', endpoint: 'Home' } as const;
  const captions = [{ turn: -1, text: 'It is late.', heard: 5, cutFrom: 5, settled: true }];
  const crashed = recordFromJournal({ talk, captions, savedAt: 10_000 });
  expect(crashed.record).toMatchObject({ turns: [{ heard: 5, cutFrom: 5 }], events: [] });
});

const words = (at: number, text: string) => ({ at, text, transcribed: 'byMachine' }) as const;
const texts = ({ turns }: TalkRecord): readonly string[] => turns.map(({ text }) => text);

describe('the user’s words in a record', () => {
  it('are inserted at their times, and interruptions stay at their turns', () => {
    const merged = mergeTranscribedTurns(record, [
      words(7000, 'No.'),
      words(3000, 'How late is it?'),
    ]);
    expect(texts(merged)).toEqual(['Hello.', 'How late is it?', 'It is late.', 'No.']);
    expect(merged.events[0]).toMatchObject({ kind: 'interrupted', turn: 2 });
    expect(merged.turns[1]).toEqual({
      by: 'person',
      at: 3000,
      text: 'How late is it?',
      heard: 15,
      transcribed: 'byMachine',
    });
    const before = mergeTranscribedTurns(merged, [words(500, 'Hi!')]);
    expect(texts(before)[0]).toBe('Hi!');
    expect(before.events[0]).toMatchObject({ turn: 3 });
  });

  it('are corrected in place and removed if empty', () => {
    const merged = mergeTranscribedTurns(record, [words(3000, 'How late as it?')]);
    const right = mergeTranscribedTurns(merged, [
      { at: 3000, text: 'How late is it?', transcribed: 'corrected' },
    ]);
    expect(right.turns[1]).toMatchObject({ text: 'How late is it?', transcribed: 'corrected' });
    expect(right.turns).toHaveLength(3);
    const out = mergeTranscribedTurns(right, [{ at: 3000, text: '', transcribed: 'corrected' }]);
    expect(out).toEqual(record);
  });
});

it('the record of a talk keeps the words of the user, and shortens the texts of errors', () => {
  let now = 1000;
  const builder = new TalkRecordBuilder({ mode: 'audio', server: { name: 'Home' } }, () => now);
  expect([builder.isEmpty, builder.changes]).toEqual([true, 0]);
  builder.addTranscribedTurn(words(50, 'Helo'));
  expect([builder.isEmpty, builder.changes, texts(builder.record)]).toEqual([false, 1, ['Helo']]);
  builder.addTranscribedTurn(words(50, 'Hello'));
  builder.addTranscribedTurn(words(70, 'there'));
  builder.addTranscribedTurn(words(70, ''));
  expect(texts(builder.record)).toEqual(['Hello']);
  builder.applyCaption({ turn: 1, added: '' });
  now = 1300;
  builder.applyCaption({ turn: 1, added: 'Yes.', heard: 9 });
  expect(builder.record.turns[1]).toMatchObject({ at: 300, text: 'Yes.', heard: 4 });
  for (const length of [500, 501])
    builder.addTrouble(appError('connectionLost', {}, { detail: 'x'.repeat(length) }));
  const details = builder.record.events.map((event) =>
    event.kind === 'trouble' ? [event.at, event.error.detail] : [],
  );
  expect(details).toEqual([
    [300, 'x'.repeat(500)],
    [300, `${'x'.repeat(500)}…`],
  ]);
  const { changes } = builder;
  for (let n = 0; n < 2000; n += 1) builder.addTrouble(appError('connectionLost'));
  expect([builder.record.events.length, builder.changes]).toEqual([2000, changes + 2000]);
});

describe('the server of a talk', () => {
  it.each([
    ['wss://user:pass@host:8443/v1?token=t#x', 'wss://host:8443/v1'],
    ['wss://host/a?b=c@d', 'wss://host/a'],
    ['nonsense', undefined],
    [undefined, undefined],
  ])('is recorded from %j as %j', (address, recorded) => {
    expect(recordedServer('Home', address).address).toBe(recorded);
  });
});

describe('the first words of a talk', () => {
  it('are one line that never ends within a character', () => {
    expect(firstWords(['', ' \n', ' Hello\n there ', 'more'])).toBe('Hello there');
    expect(firstWords([`${'x'.repeat(79)}👍👍`])).toBe(`${'x'.repeat(79)}…`);
    expect(firstWords([])).toBe('');
  });
});
