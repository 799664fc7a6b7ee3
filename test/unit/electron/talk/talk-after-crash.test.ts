import { beforeEach, describe, expect, it } from 'vitest';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { byPerson } from './stage.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

let stage: TalkControllerHarness;

const harness = (keepChats = true): TalkControllerHarness => {
  const made = new TalkControllerHarness();
  made.settings.change({ privacy: { keepChats } });
  return made;
};

const pass = async (ms: number): Promise<void> => {
  stage.clock.advance(ms);
  await flushPromises();
};

beforeEach(() => {
  stage = harness();
});

/** A talk with some words, as a crash leaves it. */
async function cutTalk(): Promise<string> {
  await stage.live('video');
  stage.session.emit({ event: 'text', turn: 1, text: 'The boiling point is 100 degrees.' });
  stage.session.emit({ event: 'audio', turn: 1, audio: new Float32Array(24_000 * 5).fill(0.1) });
  await pass(3000);
  stage.session.emit({ event: 'text', turn: 2, text: 'And the freezing' });
  await pass(3000);
  const { text } = stage.journalFile;
  if (text === undefined) throw new Error('No text was stored.');
  return text;
}

describe('the text of a running talk', () => {
  it('is stored while the talk runs, and removed at its end', async () => {
    expect(JSON.parse(await cutTalk())).toMatchObject({
      talk: { mode: 'video', endpoint: 'The one' },
      captions: [{ text: 'The boiling point is 100 degrees.' }, { text: 'And the freezing' }],
    });
    stage.session.close(byPerson);
    await pass(10_000);
    expect(stage.journalFile.text).toBeUndefined();
  });

  it('is written when the disk has room again, without further speech', async () => {
    await cutTalk();
    stage.journalFile.full = true;
    stage.session.emit({ event: 'text', turn: 2, text: ' point is 0.' });
    await pass(10_000);
    expect(stage.journalFile.text).not.toContain('point is 0.');
    stage.journalFile.full = false;
    await pass(5000);
    expect(stage.journalFile.text).toContain('And the freezing point is 0.');
  });

  it('is not written after the talk has ended', async () => {
    await cutTalk();
    stage.journalFile.full = true;
    stage.session.emit({ event: 'text', turn: 2, text: ' point is 0.' });
    await pass(10_000);
    stage.session.close(byPerson);
    await pass(0);
    stage.journalFile.full = false;
    await pass(10_000);
    expect(stage.journalFile.text).toBeUndefined();
  });

  it('stays during a restart of Parley, regardless of how the talk ends', async () => {
    await cutTalk();
    stage.session.emit({ event: 'text', turn: 2, text: ' point is 0.' });
    await stage.controller.saveForRestart();
    stage.session.close(byPerson);
    await pass(10_000);
    expect(stage.journalFile.text).toContain('And the freezing point is 0.');
  });

  it('is removed once the user lets Parley store no text', async () => {
    await cutTalk();
    stage.settings.change({ privacy: { keepChats: false } });
    stage.session.emit({ event: 'text', turn: 2, text: ' point is secret.' });
    await pass(10_000);
    expect(stage.journalFile.text).toBeUndefined();
  });
});

describe('a talk cut by a crash', () => {
  async function afterCrash(keepChats = true) {
    // Heard up to there.
    const left = (await cutTalk()).replace('"heard":0', '"heard":33');
    stage = harness(keepChats);
    stage.journalFile.earlierTexts = ['{"savedAt": 1', JSON.stringify({ savedAt: 7 }), left];
    await stage.controller.restore();
    return stage;
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
    expect(stage.sessions).toEqual([]);
  });

  it('continues with its heard words, which precede the new ones', async () => {
    const { controller } = await afterCrash();
    expect(await controller.continue({ carry: 'transcript' })).toMatchObject({ ok: true });
    const { mode, settings } = stage.session.options;
    expect(mode).toBe('video');
    expect(settings.instructions).toMatch(/^Be kind\.[^]*The boiling point is 100 degrees\./u);
    // Unheard words are not part of the transcript.
    expect(settings.instructions).not.toContain('freezing');
    stage.session.enter('connecting', 'configuring', 'live');
    stage.session.emit({ event: 'text', turn: 1, text: 'Where were we?' });
    expect(controller.view.captions.map(({ text }) => text)).toEqual([
      'The boiling point is 100 degrees.',
      'And the freezing',
      'Where were we?',
    ]);
    await flushPromises();
    expect(stage.journalFile.earlierTexts).toEqual([]);
    // A further crash or reconnect has all of it.
    await pass(3000);
    expect(stage.journalFile.text).toContain('The boiling point');
  });

  it('can be left behind', async () => {
    const { controller } = await afterCrash();
    expect(await controller.continue({ carry: 'nothing' })).toMatchObject({ ok: true });
    expect(stage.session.options.settings.instructions).toBe('Be kind.');
    expect(controller.view.captions).toEqual([]);
    await flushPromises();
    expect(stage.journalFile.earlierTexts).toEqual([]);
  });

  it('is shown once: another talk or an orderly end removes it', async () => {
    await (await afterCrash()).live();
    await flushPromises();
    expect([stage.journalFile.earlierTexts, stage.controller.view.captions]).toEqual([[], []]);
    stage = harness();
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

  it('does not replace a talk that has begun meanwhile', async () => {
    const left = await cutTalk();
    stage = harness();
    stage.journalFile.earlierTexts = [left];
    const restoring = stage.controller.restore();
    await stage.live();
    await restoring;
    expect(stage.controller.view.state.phase).toBe('live');
  });
});
