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

/** A talk in which something was said, as a crash leaves it. */
async function cutTalk(): Promise<string> {
  await stage.live('video');
  stage.session.emit({ event: 'text', turn: 1, text: 'The boiling point is 100 degrees.' });
  stage.session.emit({ event: 'audio', turn: 1, audio: new Float32Array(24_000 * 5).fill(0.1) });
  await pass(3000);
  stage.session.emit({ event: 'text', turn: 2, text: 'And the freezing' });
  await pass(3000);
  const { text } = stage.journalFile;
  if (text === undefined) throw new Error('Nothing was kept.');
  return text;
}

describe('what is said in a talk', () => {
  it('is kept while it goes on, and gone at its end', async () => {
    expect(JSON.parse(await cutTalk())).toMatchObject({
      talk: { mode: 'video', endpoint: 'The one' },
      captions: [{ text: 'The boiling point is 100 degrees.' }, { text: 'And the freezing' }],
    });
    stage.session.close(byPerson);
    await pass(10_000);
    expect(stage.journalFile.text).toBeUndefined();
  });

  it('is written when the disk has room again, though nothing more is said', async () => {
    await cutTalk();
    stage.journalFile.full = true;
    stage.session.emit({ event: 'text', turn: 2, text: ' point is 0.' });
    await pass(10_000);
    expect(stage.journalFile.text).not.toContain('point is 0.');
    stage.journalFile.full = false;
    await pass(5000);
    expect(stage.journalFile.text).toContain('And the freezing point is 0.');
  });

  it('is not tried again after the talk has ended', async () => {
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

  it('stays where Parley starts itself anew, however the talk ends then', async () => {
    await cutTalk();
    stage.session.emit({ event: 'text', turn: 2, text: ' point is 0.' });
    await stage.controller.keepForRestart();
    stage.session.close(byPerson);
    await pass(10_000);
    expect(stage.journalFile.text).toContain('And the freezing point is 0.');
  });

  it('is not kept where the person wants no text to be kept, from that moment on', async () => {
    await cutTalk();
    stage.settings.change({ privacy: { keepChats: false } });
    stage.session.emit({ event: 'text', turn: 2, text: ' point is secret.' });
    await pass(10_000);
    expect(stage.journalFile.text).toBeUndefined();
  });
});

describe('a talk that a crash has cut', () => {
  async function afterCrash(keepChats = true) {
    // As far as it was heard by then.
    const left = (await cutTalk()).replace('"heard":0', '"heard":33');
    stage = harness(keepChats);
    stage.journalFile.leftTexts = ['{"savedAt": 1', JSON.stringify({ savedAt: 7 }), left];
    await stage.controller.restore();
    return stage;
  }

  it('is shown as ended, with its words, and says until when it is kept', async () => {
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
    expect(controller.active).toBe(false);
    expect(stage.sessions).toEqual([]);
  });

  it('goes on with what was heard of it, and its words stand before what follows', async () => {
    const { controller } = await afterCrash();
    expect(await controller.continue({ carry: 'transcript' })).toMatchObject({ ok: true });
    const { mode, settings } = stage.session.options;
    expect(mode).toBe('video');
    expect(settings.instructions).toMatch(/^Be kind\.[^]*The boiling point is 100 degrees\./u);
    // What nobody has heard was not said.
    expect(settings.instructions).not.toContain('freezing');
    stage.session.enter('connecting', 'configuring', 'live');
    stage.session.emit({ event: 'text', turn: 1, text: 'Where were we?' });
    expect(controller.view.captions.map(({ text }) => text)).toEqual([
      'The boiling point is 100 degrees.',
      'And the freezing',
      'Where were we?',
    ]);
    await flushPromises();
    expect(stage.journalFile.leftTexts).toEqual([]);
    // Another crash, or a reconnect, knows all of it.
    await pass(3000);
    expect(stage.journalFile.text).toContain('The boiling point');
  });

  it('can be left behind', async () => {
    const { controller } = await afterCrash();
    expect(await controller.continue({ carry: 'nothing' })).toMatchObject({ ok: true });
    expect(stage.session.options.settings.instructions).toBe('Be kind.');
    expect(controller.view.captions).toEqual([]);
    await flushPromises();
    expect(stage.journalFile.leftTexts).toEqual([]);
  });

  it('is told of once: another talk, or an end in order, removes it', async () => {
    await (await afterCrash()).live();
    await flushPromises();
    expect([stage.journalFile.leftTexts, stage.controller.view.captions]).toEqual([[], []]);
    stage = harness();
    const { controller, journal, journalFile } = await afterCrash();
    await controller.end();
    await journal.end();
    expect(journalFile.leftTexts).toEqual([]);
  });

  it('is neither shown nor kept any longer where no text is to be kept', async () => {
    const { controller, journalFile } = await afterCrash(false);
    expect(controller.view.state.phase).toBe('idle');
    expect(journalFile.leftTexts).toEqual([]);
  });

  it('does not take the place of a talk that has begun meanwhile', async () => {
    const left = await cutTalk();
    stage = harness();
    stage.journalFile.leftTexts = [left];
    const restoring = stage.controller.restore();
    await stage.live();
    await restoring;
    expect(stage.controller.view.state.phase).toBe('live');
  });
});
