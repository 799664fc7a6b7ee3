import { beforeEach, describe, expect, it } from 'vitest';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { byPerson } from './stage.ts';
import { keptFrame, TalkRecorderStage } from './talk-recorder-stage.ts';

let stage: TalkRecorderStage;

beforeEach(() => {
  stage = new TalkRecorderStage();
});

describe('the question whether to store text', () => {
  it('is asked once, at the first end of a talk; nothing is stored until then', async () => {
    await stage.said('The boiling point', false);
    stage.talkRecorder.picture(keptFrame());
    expect(stage.controller.view.storage.talk).toEqual({ kind: 'inMemory' });
    stage.session.close(byPerson);
    await stage.pass(0);
    expect(stage.controller.view.storage.talk).toEqual({ kind: 'asked' });
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
    expect(stage.talkRecorder.answer(true)).toEqual({ ok: true, value: undefined });
    await flushPromises();
    expect(stage.stored()).toMatchObject({
      turns: [{ text: 'The boiling point' }],
      pictures: [{}],
    });
    expect(stage.settings.get().privacy.keepTalks).toBe('yes');
    expect(stage.posted('talkStorage').map(({ talk }) => talk.kind)).toEqual([
      'inMemory',
      'asked',
      'stored',
    ]);
    expect(stage.talkRecorder.answer(true)).toMatchObject({ error: { code: 'nothingAsked' } });
  });

  it('also covers talks that ended before the answer', async () => {
    await stage.said('one');
    stage.connected = () => Promise.resolve({ ok: true, value: stage.server('two') });
    await stage.said('two');
    stage.talkRecorder.answer(true);
    await flushPromises();
    expect([...stage.talkStore.stored.keys()].toSorted()).toEqual(['stamp-one', 'stamp-two']);
  });

  it('stores nothing if it is declined or never answered', async () => {
    await stage.said('one');
    stage.talkRecorder.answer(false);
    await stage.talkRecorder.end();
    stage = new TalkRecorderStage();
    await stage.said('two');
    await stage.controller.end();
    await stage.talkRecorder.end();
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
  });

  it('is asked for a talk left by a crash, which is then stored', async () => {
    stage.settings.change({ privacy: { keepChats: true } });
    await stage.said('The boiling point', false);
    const left = stage.journalFile.text ?? '';
    stage = new TalkRecorderStage();
    stage.settings.change({ privacy: { keepChats: true } });
    stage.journalFile.earlierTexts = [left];
    await stage.controller.restore();
    expect(stage.controller.view.storage.talk).toEqual({ kind: 'asked' });
    stage.talkRecorder.answer(true);
    await flushPromises();
    const [id = ''] = stage.talkStore.stored.keys();
    expect(stage.stored(id)).toMatchObject({ turns: [{ text: 'The boiling point' }] });
    expect(stage.stored(id).ending).toBeUndefined();
  });
});

describe('an incognito talk', () => {
  it('stores nothing and shows that, regardless of the settings', async () => {
    stage.keep('yes');
    stage.talkRecorder.setIncognito(true);
    expect(stage.controller.view.storage.incognito).toBe(true);
    stage.incognito = true;
    await stage.said('The secret', false);
    stage.talkRecorder.picture(keptFrame());
    // The talk stays incognito.
    stage.talkRecorder.setIncognito(false);
    expect(stage.talkRecorder.isIncognito).toBe(true);
    expect(stage.controller.view.storage).toEqual({
      incognito: false,
      talk: { kind: 'incognito' },
    });
    stage.session.close(byPerson);
    await stage.pass(5000);
    await stage.controller.end();
    await stage.talkRecorder.end();
    expect([...stage.talkStore.stored.keys()]).toEqual([]);
  });
});
