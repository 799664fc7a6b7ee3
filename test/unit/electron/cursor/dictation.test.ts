import { describe, expect, it } from 'vitest';
import { dictationPrompt } from '../../../../electron/cursor/dictation.ts';
import { appError, failure } from '../../../../shared/errors/app-error.ts';
import { englishCursorPrompts } from '../../../../shared/i18n/en/prompts.ts';
import { englishPhrasePrompt } from '../../../../shared/i18n/en/prompts.ts';
import type { CursorSettings } from '../../../../shared/settings/cursor-settings.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { editor } from '../../../fakes/fake-programs.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { CursorStage } from './cursor-stage.ts';

const texts = { cursor: englishCursorPrompts, phrasePrompt: englishPhrasePrompt };
const dictation = { mode: 'clean', language: '', words: [] } as const;

async function pressed(cursor: Partial<CursorSettings> = {}): Promise<CursorStage> {
  const stage = new CursorStage(cursor);
  stage.dictation.handleKey('press', 'program');
  await flushPromises();
  return stage;
}

async function released(stage: CursorStage): Promise<void> {
  stage.dictation.handleKey('release', 'program');
  await flushPromises();
}

describe('holding the key', () => {
  it('writes what was said where the cursor is, and leaves the focus there', async () => {
    const stage = await pressed();
    expect(stage.state).toMatchObject({
      surface: 'dictate',
      dictation: { state: { kind: 'listening', activation: 'hold' } },
    });
    stage.speak(800);
    await released(stage);
    expect(stage.devices.open).toEqual([]);
    expect(stage.state.dictation.state.kind).toBe('writing');
    stage.stream('Hello');
    expect(stage.state.dictation.text).toBe('Hello');
    await stage.reply('Hello Ann.');
    expect(stage.programs.inserted).toEqual([{ text: 'Hello Ann.', window: editor }]);
    expect(stage.shown).toEqual(['unfocused', 'hidden']);
    expect(stage.state.surface).toBe('closed');
  });

  it('sends the first phrase while the user still speaks', async () => {
    const stage = await pressed();
    stage.speak(900);
    stage.speak(900, 0);
    expect(stage.questions).toHaveLength(1);
    await stage.reply('One.');
    stage.speak(900);
    await released(stage);
    expect(stage.questions).toHaveLength(2);
    await stage.reply('Two.');
    expect(stage.programs.inserted.map(({ text }) => text)).toEqual(['One. Two.']);
  });

  it('catches a single short word', async () => {
    const stage = await pressed();
    stage.speak(320);
    await released(stage);
    expect(stage.questions).toHaveLength(1);
  });

  it('says that nothing was heard, and closes by itself', async () => {
    const stage = await pressed();
    stage.speak(800, 0);
    await released(stage);
    expect(stage.state.dictation.state).toEqual({ kind: 'nothingHeard' });
    stage.clock.advance(3000);
    await flushPromises();
    expect([stage.state.surface, stage.programs.inserted]).toEqual(['closed', []]);
  });

  it('begins again while the last words are being inserted', async () => {
    const stage = await pressed();
    const { promise, resolve: take } = deferred();
    const { insert } = stage.programs;
    stage.programs.insert = async (text, window) => {
      await promise;
      return insert(text, window);
    };
    stage.speak(800);
    await released(stage);
    await stage.reply('One.');
    stage.dictation.handleKey('press', 'program');
    await flushPromises();
    expect(stage.state.dictation.state.kind).toBe('listening');
    take();
    await flushPromises();
    expect(stage.programs.inserted.map(({ text }) => text)).toEqual(['One.']);
    expect([stage.state.surface, stage.devices.open]).toEqual(['dictate', ['microphone']]);
  });

  it('continues while the server still writes, and inserts all words together', async () => {
    const stage = await pressed();
    stage.speak(800);
    await released(stage);
    expect(stage.state.dictation.state.kind).toBe('writing');
    stage.dictation.handleKey('press', 'program');
    await flushPromises();
    expect(stage.state.dictation.state.kind).toBe('listening');
    await stage.reply('One.');
    expect([stage.state.dictation.text, stage.programs.inserted]).toEqual(['One.', []]);
    stage.speak(800);
    await released(stage);
    await stage.reply('Two.');
    expect(stage.programs.inserted).toEqual([{ text: 'One. Two.', window: editor }]);
    expect([stage.devices.open, stage.state.surface]).toEqual([[], 'closed']);
  });

  it('continues if the key is pressed again before the microphone has closed', async () => {
    const stage = await pressed();
    stage.speak(800);
    stage.dictation.handleKey('release', 'program');
    stage.dictation.handleKey('press', 'program');
    await flushPromises();
    await stage.reply('One.');
    expect(stage.programs.inserted).toEqual([]);
    stage.speak(800);
    await released(stage);
    await stage.reply('Two.');
    expect(stage.programs.inserted.map(({ text }) => text)).toEqual(['One. Two.']);
  });

  it('ends when the release is lost', async () => {
    const stage = await pressed();
    stage.speak(800);
    stage.dictation.handleKey('lost', 'program');
    await flushPromises();
    expect(stage.devices.open).toEqual([]);
  });

  it('opens the microphone at once, and keeps a phrase that ends before the program is known', async () => {
    const stage = new CursorStage();
    const { promise, resolve: know } = deferred();
    stage.programs.active = async () => {
      await promise;
      return editor;
    };
    stage.dictation.handleKey('press', 'program');
    await flushPromises();
    expect(stage.devices.open).toEqual(['microphone']);
    stage.speak(900);
    stage.speak(900, 0);
    expect(stage.questions).toEqual([]);
    know();
    await flushPromises();
    expect(stage.questions).toHaveLength(1);
    await released(stage);
    await stage.reply('One.');
    expect(stage.programs.inserted).toEqual([{ text: 'One.', window: editor }]);
  });

  it('ends a dictation whose key was released before the microphone opened', async () => {
    const stage = new CursorStage();
    const openNow = stage.devices.holdOpening();
    stage.dictation.handleKey('press', 'program');
    await flushPromises();
    stage.clock.advance(500);
    stage.dictation.handleKey('release', 'program');
    openNow();
    await flushPromises();
    expect([stage.devices.open, stage.state.dictation.state.kind]).toEqual([[], 'nothingHeard']);
  });
});

it('the dictation continues after a tap until the next one', async () => {
  const stage = await pressed();
  stage.clock.advance(100);
  await released(stage);
  expect(stage.state.dictation.state).toEqual({ kind: 'listening', activation: 'tap' });
  stage.speak(800);
  stage.dictation.handleKey('press', 'program');
  await flushPromises();
  expect(stage.devices.open).toEqual([]);
  await stage.reply('Done.');
  expect(stage.programs.inserted).toHaveLength(1);
});

describe('a dictation mode', () => {
  it('has an action rewrite the words', async () => {
    const stage = await pressed({ dictation: { ...dictation, mode: 'shorten' } });
    stage.speak(800);
    await released(stage);
    await stage.reply('A very long text.');
    expect(stage.lastQuestion.text).toContain('```\nA very long text.\n```');
    expect(stage.programs.inserted).toEqual([]);
    stage.stream('A');
    expect(stage.state.dictation.text).toBe('A');
    await stage.reply('A text.');
    expect(stage.programs.inserted.map(({ text }) => text)).toEqual(['A text.']);
  });

  it('carries the language and the spellings', () => {
    const prompt = dictationPrompt(texts, {
      dictation: { mode: 'verbatim', language: 'French', words: ['Parley', 'MiniCPM-o'] },
    });
    expect(prompt.system).toBe(englishPhrasePrompt.system);
    expect(prompt.request.slice(englishPhrasePrompt.request.length)).toBe(
      ' It is said in this language: French. Names and words that may occur are spelled like this: Parley, MiniCPM-o.',
    );
    expect(dictationPrompt(texts, { dictation }).request).toBe(
      englishCursorPrompts.dictation.clean,
    );
  });
});

it('the dictation shows its place in the queue until the server writes', async () => {
  const stage = await pressed();
  stage.speak(800);
  await released(stage);
  stage.queue(2);
  expect(stage.state.dictation).toMatchObject({ state: { kind: 'writing' }, place: 2 });
  stage.admit();
  expect(stage.state.dictation.place).toBeUndefined();
});

describe('a failure', () => {
  it('keeps the words for another try', async () => {
    const stage = await pressed();
    stage.speak(800);
    await released(stage);
    await stage.fail(appError('queueFull'));
    expect(stage.state.dictation.state).toMatchObject({ error: { code: 'queueFull' } });
    await stage.dictation.end();
    expect(stage.questions).toHaveLength(2);
    await stage.reply('Hello.');
    expect(stage.programs.inserted).toHaveLength(1);
  });

  it('leaves the words on the clipboard if they cannot be inserted', async () => {
    const stage = await pressed();
    stage.programs.inserting = failure('cursorKeysFailed');
    stage.speak(800);
    await released(stage);
    await stage.reply('Hello.');
    expect(stage.state).toMatchObject({
      surface: 'dictate',
      dictation: {
        state: { kind: 'copiedInstead', error: { code: 'cursorKeysFailed' } },
        text: 'Hello.',
      },
    });
    // Giving the focus back may have hidden the window.
    expect(stage.shown).toEqual(['unfocused', 'unfocused']);
  });

  it('says that a talk has the microphone', async () => {
    const stage = new CursorStage();
    stage.lock.setTalk({ isActive: true });
    stage.dictation.handleKey('press', 'program');
    await flushPromises();
    expect(stage.state.dictation.state).toMatchObject({ error: { code: 'talkHasSound' } });
    expect(stage.devices.microphones).toEqual([]);
  });
});

describe('a busy server', () => {
  const busy = appError('queueFull');

  async function refused(): Promise<CursorStage> {
    const stage = await pressed();
    stage.speak(800);
    await released(stage);
    await stage.fail(busy);
    return stage;
  }

  it('lets the user wait, and the words are written down once it is free', async () => {
    const stage = await refused();
    expect(stage.state.dictation).toMatchObject({ state: { kind: 'failed' }, wait: 'offered' });
    stage.clock.advance(60_000);
    expect(stage.questions).toHaveLength(1);
    stage.dictation.waitForServer(true);
    stage.clock.advance(2000);
    await stage.fail(busy);
    expect(stage.state.dictation).toMatchObject({ state: { kind: 'failed' }, wait: 'waiting' });
    stage.clock.advance(4000);
    expect(stage.questions).toHaveLength(3);
    // Then the window stays.
    stage.programs.inserting = failure('cursorTargetGone');
    await stage.reply('Hello.');
    expect(stage.programs.inserted).toEqual([{ text: 'Hello.', window: editor }]);
    expect(stage.state.dictation).toMatchObject({
      state: { kind: 'copiedInstead' },
      wait: 'none',
    });
  });

  it('is asked no more after the user stops waiting or cancels', async () => {
    const stage = await refused();
    stage.dictation.waitForServer(true);
    stage.dictation.waitForServer(false);
    expect(stage.state.dictation).toMatchObject({ state: { kind: 'failed' }, wait: 'none' });
    stage.clock.advance(60_000);
    expect(stage.questions).toHaveLength(1);
    const other = await refused();
    other.dictation.waitForServer(true);
    await other.dictation.cancel();
    other.clock.advance(60_000);
    expect(other.questions).toHaveLength(1);
  });

  it('does not end a dictation while the user speaks, and loses no phrase', async () => {
    const stage = await pressed();
    stage.speak(900);
    stage.speak(900, 0);
    await stage.fail(busy);
    expect(stage.state.dictation.state.kind).toBe('listening');
    stage.speak(900);
    await released(stage);
    expect(stage.devices.open).toEqual([]);
    await stage.reply('One.');
    await stage.reply('Two.');
    expect(stage.programs.inserted.map(({ text }) => text)).toEqual(['One. Two.']);
  });

  it('keeps the words that an action was to rewrite', async () => {
    const stage = await pressed({ dictation: { ...dictation, mode: 'shorten' } });
    stage.speak(800);
    await released(stage);
    await stage.reply('Hello there, Ann.');
    await stage.fail(busy);
    await stage.dictation.end();
    expect(stage.lastQuestion.text).toContain('Hello there, Ann.');
    await stage.reply('Hi Ann.');
    expect(stage.programs.inserted.map(({ text }) => text)).toEqual(['Hi Ann.']);
  });
});

it('the dictation writes into the question while the small window is open', async () => {
  const stage = await new CursorStage().open();
  await stage.dictation.begin('question', 'tap');
  stage.speak(800);
  await stage.dictation.end();
  await stage.reply('What is this?');
  expect(stage.programs.inserted).toEqual([]);
  expect(stage.state).toMatchObject({
    surface: 'ask',
    dictation: { state: { kind: 'done' }, text: 'What is this?' },
  });
});

it('the dictation forgets everything when it is cancelled', async () => {
  const stage = await pressed();
  stage.speak(800);
  await released(stage);
  await stage.dictation.cancel();
  await stage.reply('Hello.');
  expect([stage.programs.inserted, stage.state.surface]).toEqual([[], 'closed']);
  expect(stage.state.dictation.text).toBe('');
});
