import { beforeEach, describe, expect, it } from 'vitest';
import { flushPromises } from '../../../fakes/promises.ts';
import { endedByUser } from './conversation-harness.ts';
import {
  TalkControllerHarness,
  keptFrame,
  TalkRecorderHarness,
} from './talk-controller-harness.ts';

let harness: TalkControllerHarness;

const create = (keepChats = true): TalkControllerHarness => {
  const made = new TalkControllerHarness();
  made.settings.change({ privacy: { keepChats } });
  return made;
};

const pass = async (ms: number): Promise<void> => {
  harness.clock.advance(ms);
  await flushPromises();
};

beforeEach(() => {
  harness = create();
});

/** A talk with some words, as a crash leaves it. */
async function textOfCutTalk(): Promise<string> {
  await harness.live('video');
  harness.session.emit({ event: 'text', turn: 1, text: 'The boiling point is 100 degrees.' });
  harness.session.emit({ event: 'audio', turn: 1, audio: new Float32Array(24_000 * 5).fill(0.1) });
  await pass(3000);
  harness.session.emit({ event: 'text', turn: 2, text: 'And the freezing' });
  await pass(3000);
  const { text } = harness.journalFile;
  if (text === undefined) throw new Error('No text was stored.');
  return text;
}

describe('the text of a running talk', () => {
  it('is stored while the talk runs, and removed at its end', async () => {
    expect(JSON.parse(await textOfCutTalk())).toMatchObject({
      talk: { mode: 'video', endpoint: 'The one' },
      captions: [{ text: 'The boiling point is 100 degrees.' }, { text: 'And the freezing' }],
    });
    harness.session.close(endedByUser);
    await pass(10_000);
    expect(harness.journalFile.text).toBeUndefined();
  });

  it('is written when the disk has room again, without further speech', async () => {
    await textOfCutTalk();
    harness.journalFile.full = true;
    harness.session.emit({ event: 'text', turn: 2, text: ' point is 0.' });
    await pass(10_000);
    expect(harness.journalFile.text).not.toContain('point is 0.');
    harness.journalFile.full = false;
    await pass(5000);
    expect(harness.journalFile.text).toContain('And the freezing point is 0.');
  });

  it('is not written after the talk has ended', async () => {
    await textOfCutTalk();
    harness.journalFile.full = true;
    harness.session.emit({ event: 'text', turn: 2, text: ' point is 0.' });
    await pass(10_000);
    harness.session.close(endedByUser);
    await pass(0);
    harness.journalFile.full = false;
    await pass(10_000);
    expect(harness.journalFile.text).toBeUndefined();
  });

  it('is kept for the restart of Parley, regardless of how the talk ends', async () => {
    await textOfCutTalk();
    harness.session.emit({ event: 'text', turn: 2, text: ' point is 0.' });
    await harness.controller.saveForRestart();
    harness.session.close(endedByUser);
    await pass(10_000);
    expect(harness.journalFile.text).toContain('And the freezing point is 0.');
  });

  it('is removed when the user lets Parley store no text', async () => {
    await textOfCutTalk();
    harness.settings.change({ privacy: { keepChats: false } });
    harness.session.emit({ event: 'text', turn: 2, text: ' point is secret.' });
    await pass(10_000);
    expect(harness.journalFile.text).toBeUndefined();
  });
});

const storedTalk = {
  savedAt: 8,
  talk: { mode: 'audio', endpoint: 'The one' },
  captions: [{ text: 'one two', heard: 3 }],
};
/** Journals with damaged talks. They are newer than the intact talk, and must not be shown instead of it. */
const damagedTalks = [
  { talk: undefined },
  { talk: { mode: 'audio' } },
  { talk: { mode: 'chat', endpoint: 'The one' } },
  { captions: undefined },
  { captions: [] },
  { captions: ['one', { text: 'one' }, { text: 1, heard: 1 }] },
].map((damage) => JSON.stringify({ ...storedTalk, savedAt: 1e9, ...damage }));
damagedTalks.push(JSON.stringify({ ...storedTalk, savedAt: 'now' }));

describe('a talk cut by a crash', () => {
  async function afterCrash(keepChats = true) {
    // The user heard the first 33 characters of the answer.
    const left = (await textOfCutTalk()).replace('"heard":0', '"heard":33');
    harness = create(keepChats);
    harness.journalFile.earlierTexts = ['{"savedAt": 1', ...damagedTalks, left];
    await harness.controller.restore();
    return harness;
  }

  it('is shown as ended, with its words and the time of the last save', async () => {
    const { controller } = await afterCrash();
    expect(controller.view).toMatchObject({
      state: {
        phase: 'ended',
        offer: 'continue',
        ending: { error: { code: 'talkCutByCrash', facts: { time: 'at 7000' } } },
      },
      talk: { mode: 'video', endpoint: 'The one' },
    });
    expect(controller.view.captions.map(({ text, settled }) => [text, settled])).toEqual([
      ['The boiling point is 100 degrees.', true],
      ['And the freezing', true],
    ]);
    expect(controller.isActive).toBe(false);
    expect(harness.sessions).toEqual([]);
  });

  it('is cut in each turn after the last word that the user heard', async () => {
    const texts = [
      { text: 'one two', heard: 99 },
      { text: 'one two', heard: 7, cutFrom: 5 },
    ];
    const captions = [...storedTalk.captions, ...texts];
    harness.journalFile.earlierTexts = [JSON.stringify({ ...storedTalk, captions })];
    await harness.controller.restore();
    const shown = harness.controller.view.captions;
    expect(shown.map(({ turn, heard, cutFrom }) => [turn, heard, cutFrom])).toEqual([
      [-3, 3, 3],
      [-2, 7, undefined],
      [-1, 7, 5],
    ]);
  });

  it('continues with its heard words, which precede the new ones', async () => {
    const { controller } = await afterCrash();
    expect(await controller.continue({ carry: 'transcript' })).toMatchObject({ ok: true });
    const { mode, settings } = harness.session.options;
    expect(mode).toBe('video');
    expect(settings.instructions).toMatch(/^Be kind\.[^]*The boiling point is 100 degrees\./u);
    // Unheard words are not part of the transcript.
    expect(settings.instructions).not.toContain('freezing');
    harness.session.enter('connecting', 'configuring', 'live');
    harness.session.emit({ event: 'text', turn: 1, text: 'Where were we?' });
    expect(controller.view.captions.map(({ text }) => text)).toEqual([
      'The boiling point is 100 degrees.',
      'And the freezing',
      'Where were we?',
    ]);
    await flushPromises();
    expect(harness.journalFile.earlierTexts).toEqual([]);
    // The new journal has the earlier words too, in case of another crash.
    await pass(3000);
    expect(harness.journalFile.text).toContain('The boiling point');
  });

  it('is shown until another talk or an orderly end of Parley removes it', async () => {
    await (await afterCrash()).live();
    await flushPromises();
    expect([harness.journalFile.earlierTexts, harness.controller.view.captions]).toEqual([[], []]);
    harness = create();
    const { controller, journal, journalFile } = await afterCrash();
    await controller.end();
    await journal.end();
    expect(journalFile.earlierTexts).toEqual([]);
  });

  it('is not shown, and is removed, if no text may be stored', async () => {
    const { controller, journalFile } = await afterCrash(false);
    expect(controller.view.state.phase).toBe('idle');
    expect(journalFile.earlierTexts).toEqual([]);
  });
});

describe('the storage of a talk', () => {
  let harness: TalkRecorderHarness;

  beforeEach(() => {
    harness = new TalkRecorderHarness();
  });

  describe('the question whether to store text', () => {
    it('is asked once, at the first end of a talk; nothing is stored until then', async () => {
      await harness.said('The boiling point', false);
      harness.talkRecorder.picture(keptFrame());
      expect(harness.controller.view.storage.talk).toEqual({ kind: 'inMemory' });
      harness.session.close(endedByUser);
      await harness.pass(0);
      expect(harness.controller.view.storage.talk).toEqual({ kind: 'asked' });
      expect([...harness.talkStore.stored.keys()]).toEqual([]);
      expect(harness.talkRecorder.answer(true)).toEqual({ ok: true, value: undefined });
      await flushPromises();
      expect(harness.stored()).toMatchObject({
        turns: [{ text: 'The boiling point' }],
        pictures: [{}],
      });
      expect(harness.settings.get().privacy.keepTalks).toBe('yes');
      expect(harness.posted('talkStorage').map(({ talk }) => talk.kind)).toEqual([
        'inMemory',
        'asked',
        'stored',
      ]);
      expect(harness.talkRecorder.answer(true)).toMatchObject({ error: { code: 'nothingAsked' } });
    });

    it('stores nothing if it is declined or never answered', async () => {
      await harness.said('one');
      harness.talkRecorder.answer(false);
      await harness.talkRecorder.end();
      harness = new TalkRecorderHarness();
      await harness.said('two');
      await harness.controller.end();
      await harness.talkRecorder.end();
      expect([...harness.talkStore.stored.keys()]).toEqual([]);
    });
  });

  describe('an incognito talk', () => {
    it('stores no text, whatever the settings, and shows that it stores none', async () => {
      harness.keep('yes');
      harness.talkRecorder.setIncognito(true);
      expect(harness.controller.view.storage.incognito).toBe(true);
      harness.incognito = true;
      await harness.said('The secret', false);
      harness.talkRecorder.picture(keptFrame());
      // The talk stays incognito.
      harness.talkRecorder.setIncognito(false);
      expect(harness.talkRecorder.isIncognito).toBe(true);
      expect(harness.controller.view.storage).toEqual({
        incognito: false,
        talk: { kind: 'incognito' },
      });
      harness.session.close(endedByUser);
      await harness.pass(5000);
      await harness.controller.end();
      await harness.talkRecorder.end();
      expect([...harness.talkStore.stored.keys()]).toEqual([]);
    });
  });
});
