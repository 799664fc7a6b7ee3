import { describe, expect, it } from 'vitest';
import { dictationPrompt } from '../../../../electron/cursor/dictation.ts';
import { appError, failure } from '../../../../shared/errors/app-error.ts';
import { englishCursorPrompts, englishPhrasePrompt } from '../../../../shared/i18n/en/prompts.ts';
import type { CursorSettings } from '../../../../shared/settings/cursor-settings.ts';
import { deferred, flushPromises } from '../../../fakes/promises.ts';
import { editor } from '../../../fakes/fake-programs.ts';
import { CursorHarness } from './cursor-harness.ts';

const texts = { cursor: englishCursorPrompts, phrasePrompt: englishPhrasePrompt };
const dictation = { mode: 'clean', language: '', words: [] } as const;

async function pressKey(cursor: Partial<CursorSettings> = {}): Promise<CursorHarness> {
  const harness = new CursorHarness(cursor);
  harness.dictation.handleKey('press', 'program');
  await flushPromises();
  return harness;
}

async function releaseKey(harness: CursorHarness): Promise<void> {
  harness.dictation.handleKey('release', 'program');
  await flushPromises();
}

/** Speaks, and releases the key. */
async function say(harness: CursorHarness): Promise<void> {
  harness.speak(800);
  await releaseKey(harness);
}

describe('a dictation while the key is held', () => {
  it('writes the spoken words at the cursor, and does not move the focus', async () => {
    const harness = await pressKey();
    expect(harness.state).toMatchObject({
      surface: 'dictate',
      dictation: { state: { kind: 'listening', activation: 'hold' } },
    });
    await say(harness);
    expect(harness.devices.open).toEqual([]);
    expect(harness.state.dictation.state.kind).toBe('writing');
    harness.stream('Hello');
    expect(harness.state.dictation.text).toBe('Hello');
    await harness.reply('Hello Ann.');
    expect(harness.programs.inserted).toEqual([{ text: 'Hello Ann.', window: editor }]);
    expect(harness.shown).toEqual(['unfocused', 'hidden']);
    expect(harness.state.surface).toBe('closed');
  });

  it('sends the first phrase while the user still speaks', async () => {
    const harness = await pressKey();
    harness.speak(900);
    harness.speak(900, 0);
    expect(harness.questions).toHaveLength(1);
    await harness.reply('One.');
    await say(harness);
    expect(harness.questions).toHaveLength(2);
    await harness.reply('Two.');
    expect(harness.programs.inserted.map(({ text }) => text)).toEqual(['One. Two.']);
  });

  it('shows that it heard nothing, and closes within three seconds', async () => {
    const harness = await pressKey();
    harness.speak(800, 0);
    await releaseKey(harness);
    expect(harness.state.dictation.state).toEqual({ kind: 'nothingHeard' });
    harness.clock.advance(3000);
    await flushPromises();
    expect([harness.state.surface, harness.programs.inserted]).toEqual(['closed', []]);
  });

  it('leaves a question open that the user opened after nothing was heard', async () => {
    const harness = await pressKey();
    harness.speak(800, 0);
    await releaseKey(harness);
    await harness.open();
    harness.clock.advance(3000);
    await flushPromises();
    expect([harness.state.surface, harness.shown.at(-1)]).toEqual(['ask', 'focused']);
  });

  it('continues while the server still writes, and inserts all words together', async () => {
    const harness = await pressKey();
    await say(harness);
    expect(harness.state.dictation.state.kind).toBe('writing');
    harness.dictation.handleKey('press', 'program');
    await flushPromises();
    expect(harness.state.dictation.state.kind).toBe('listening');
    await harness.reply('One.');
    expect([harness.state.dictation.text, harness.programs.inserted]).toEqual(['One.', []]);
    await say(harness);
    await harness.reply('Two.');
    expect(harness.programs.inserted).toEqual([{ text: 'One. Two.', window: editor }]);
    expect([harness.devices.open, harness.state.surface]).toEqual([[], 'closed']);
  });

  it('ends when the release of the key is lost', async () => {
    const harness = await pressKey();
    harness.speak(800);
    harness.dictation.handleKey('lost', 'program');
    await flushPromises();
    expect(harness.devices.open).toEqual([]);
  });

  it('opens the microphone at once, and keeps a phrase that ends before the target program is known', async () => {
    const harness = new CursorHarness();
    const { promise, resolve: nameProgram } = deferred();
    harness.programs.active = async () => {
      await promise;
      return editor;
    };
    harness.dictation.handleKey('press', 'program');
    await flushPromises();
    expect(harness.devices.open).toEqual(['microphone']);
    harness.speak(900);
    harness.speak(900, 0);
    expect(harness.questions).toEqual([]);
    nameProgram();
    await flushPromises();
    expect(harness.questions).toHaveLength(1);
    await releaseKey(harness);
    await harness.reply('One.');
    expect(harness.programs.inserted).toEqual([{ text: 'One.', window: editor }]);
  });

  it('ends if the key was released before the microphone opened', async () => {
    const harness = new CursorHarness();
    const openNow = harness.devices.holdOpening();
    harness.dictation.handleKey('press', 'program');
    await flushPromises();
    harness.clock.advance(500);
    harness.dictation.handleKey('release', 'program');
    openNow();
    await flushPromises();
    expect([harness.devices.open, harness.state.dictation.state.kind]).toEqual([
      [],
      'nothingHeard',
    ]);
  });
});

it('the dictation continues after a tap until the next tap', async () => {
  const harness = await pressKey();
  harness.clock.advance(100);
  await releaseKey(harness);
  expect(harness.state.dictation.state).toEqual({ kind: 'listening', activation: 'tap' });
  harness.speak(800);
  harness.dictation.handleKey('press', 'program');
  await flushPromises();
  expect(harness.devices.open).toEqual([]);
  await harness.reply('Done.');
  expect(harness.programs.inserted).toHaveLength(1);
});

describe('a dictation mode', () => {
  it('has an action rewrite the words', async () => {
    const harness = await pressKey({ dictation: { ...dictation, mode: 'shorten' } });
    await say(harness);
    await harness.reply('A very long text.');
    expect(harness.lastQuestion.text).toContain('```\nA very long text.\n```');
    expect(harness.programs.inserted).toEqual([]);
    harness.stream('A');
    expect(harness.state.dictation.text).toBe('A');
    await harness.reply('A text.');
    expect(harness.programs.inserted.map(({ text }) => text)).toEqual(['A text.']);
  });

  it('adds the language and the spellings to the request', () => {
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
  const harness = await pressKey();
  await say(harness);
  harness.queue(2);
  expect(harness.state.dictation).toMatchObject({ state: { kind: 'writing' }, place: 2 });
  harness.admit();
  expect(harness.state.dictation.place).toBeUndefined();
});

describe('a failed dictation', () => {
  it('keeps the words for another try', async () => {
    const harness = await pressKey();
    await say(harness);
    await harness.fail(appError('queueFull'));
    expect(harness.state.dictation.state).toMatchObject({ error: { code: 'queueFull' } });
    await harness.dictation.end();
    expect(harness.questions).toHaveLength(2);
    await harness.reply('Hello.');
    expect(harness.programs.inserted).toHaveLength(1);
  });

  it('leaves the words on the clipboard if they cannot be inserted', async () => {
    const harness = await pressKey();
    harness.programs.inserting = failure('cursorKeysFailed');
    await say(harness);
    await harness.reply('Hello.');
    expect(harness.state).toMatchObject({
      surface: 'dictate',
      dictation: {
        state: { kind: 'copiedInstead', error: { code: 'cursorKeysFailed' } },
        text: 'Hello.',
      },
    });
    // Giving the focus back may have hidden the window.
    expect(harness.shown).toEqual(['unfocused', 'unfocused']);
  });

  it('keeps the last words when the microphone is lost, and waits for the user', async () => {
    const harness = await pressKey();
    harness.speak(800);
    harness.devices.microphones[0]?.emit({ kind: 'lost', error: appError('noMicrophone') });
    await flushPromises();
    await harness.reply('Hello.');
    harness.clock.advance(600_000);
    expect(harness.state.dictation).toMatchObject({
      state: { error: { code: 'noMicrophone' } },
      text: 'Hello.',
    });
    expect(harness.programs.inserted).toEqual([]);
    await harness.dictation.end();
    await flushPromises();
    expect(harness.programs.inserted).toMatchObject([{ text: 'Hello.' }]);
  });

  async function pressDuringTalk(): Promise<CursorHarness> {
    const harness = new CursorHarness();
    harness.lock.setTalk({ isActive: true });
    harness.dictation.handleKey('press', 'program');
    await flushPromises();
    return harness;
  }

  it('shows that a talk uses the microphone', async () => {
    const harness = await pressDuringTalk();
    expect(harness.state.dictation.state).toMatchObject({ error: { code: 'talkHasSound' } });
    expect(harness.devices.microphones).toEqual([]);
  });

  it('opens the microphone when tried again after the talk, for the same program', async () => {
    const harness = await pressDuringTalk();
    harness.lock.setTalk({ isActive: false });
    harness.programs.focused = undefined;
    await harness.dictation.end();
    expect(harness.state.dictation.state).toEqual({ kind: 'listening', activation: 'tap' });
    harness.speak(800);
    await harness.dictation.end();
    await harness.reply('Hello.');
    expect(harness.programs.inserted).toEqual([{ text: 'Hello.', window: editor }]);
  });

  it('does not appear in a question that the user opens after the failure, nor after that question', async () => {
    const harness = await pressDuringTalk();
    await harness.asked();
    expect(harness.state).toMatchObject({ surface: 'ask', dictation: { state: { kind: 'idle' } } });
    await harness.reply('1');
    await harness.ask.insert(harness.answer.id);
    expect([harness.state.surface, harness.shown.at(-1)]).toEqual(['closed', 'hidden']);
  });
});

describe('a busy server', () => {
  const busy = appError('queueFull');

  async function refuseDictation(): Promise<CursorHarness> {
    const harness = await pressKey();
    await say(harness);
    await harness.fail(busy);
    return harness;
  }

  it('lets the user wait, and writes the words when it is free', async () => {
    const harness = await refuseDictation();
    expect(harness.state.dictation).toMatchObject({ state: { kind: 'failed' }, wait: 'offered' });
    harness.clock.advance(60_000);
    expect(harness.questions).toHaveLength(1);
    harness.dictation.waitForServer(true);
    harness.clock.advance(2000);
    await harness.fail(busy);
    expect(harness.state.dictation).toMatchObject({ state: { kind: 'failed' }, wait: 'waiting' });
    harness.clock.advance(4000);
    expect(harness.questions).toHaveLength(3);
    // If the text cannot be inserted, the window stays.
    harness.programs.inserting = failure('cursorTargetGone');
    await harness.reply('Hello.');
    expect(harness.programs.inserted).toEqual([{ text: 'Hello.', window: editor }]);
    expect(harness.state.dictation).toMatchObject({
      state: { kind: 'copiedInstead' },
      wait: 'none',
    });
  });

  it('writes the words of before, too, when the user speaks again', async () => {
    const harness = await refuseDictation();
    harness.dictation.waitForServer(true);
    harness.dictation.handleKey('press', 'program');
    await flushPromises();
    harness.clock.advance(60_000);
    expect(harness.state.dictation.state).toEqual({ kind: 'listening', activation: 'hold' });
    await say(harness);
    for (const text of ['One.', 'Two.']) await harness.reply(text);
    expect(harness.programs.inserted.map(({ text }) => text)).toEqual(['One. Two.']);
  });

  it('is not asked again after the user stops waiting or cancels', async () => {
    const harness = await refuseDictation();
    harness.dictation.waitForServer(true);
    harness.dictation.waitForServer(false);
    expect(harness.state.dictation).toMatchObject({ state: { kind: 'failed' }, wait: 'none' });
    harness.clock.advance(60_000);
    expect(harness.questions).toHaveLength(1);
    const other = await refuseDictation();
    other.dictation.waitForServer(true);
    await other.dictation.cancel();
    other.clock.advance(60_000);
    expect(other.questions).toHaveLength(1);
  });

  it('does not end a dictation while the user speaks, and loses no phrase', async () => {
    const harness = await pressKey();
    harness.speak(900);
    harness.speak(900, 0);
    await harness.fail(busy);
    expect(harness.state.dictation.state.kind).toBe('listening');
    await say(harness);
    expect(harness.devices.open).toEqual([]);
    await harness.reply('One.');
    await harness.reply('Two.');
    expect(harness.programs.inserted.map(({ text }) => text)).toEqual(['One. Two.']);
  });

  it('does not lose the words that an action was about to rewrite', async () => {
    const harness = await pressKey({ dictation: { ...dictation, mode: 'shorten' } });
    harness.speak(800);
    await releaseKey(harness);
    await harness.reply('Hello there, Ann.');
    await harness.fail(busy);
    harness.dictation.handleKey('press', 'program');
    await flushPromises();
    expect(harness.lastQuestion.text).toContain('Hello there, Ann.');
    await harness.reply('Hi Ann.');
    expect(harness.programs.inserted.map(({ text }) => text)).toEqual(['Hi Ann.']);
  });
});

it('the dictation writes into the question while the small window is open', async () => {
  const harness = await new CursorHarness().open();
  await harness.dictation.begin('question', 'tap');
  harness.speak(800);
  await harness.dictation.end();
  await harness.reply('What is this?');
  expect(harness.programs.inserted).toEqual([]);
  expect(harness.state).toMatchObject({
    surface: 'ask',
    dictation: { state: { kind: 'done' }, text: 'What is this?' },
  });
});

describe('a dictation when the small window closes with the answer', () => {
  async function answered(): Promise<CursorHarness> {
    const harness = await new CursorHarness().asked();
    await harness.reply('1');
    return harness;
  }

  it.each([
    ['is inserted', (harness) => harness.ask.insert(harness.answer.id)],
    ['continues in Chat', (harness) => harness.ask.continueInChat()],
  ] as readonly (readonly [string, (harness: CursorHarness) => Promise<unknown>])[])(
    'closes the microphone if its words were for the next question, when the answer %s',
    async (_how, close) => {
      const harness = await answered();
      await harness.dictation.begin('question', 'tap');
      harness.speak(800);
      await close(harness);
      await flushPromises();
      expect(harness.devices.open).toEqual([]);
      expect(harness.state).toMatchObject({
        surface: 'closed',
        dictation: { state: { kind: 'idle' }, text: '' },
      });
    },
  );

  it('goes on in its own window if its words are for the program', async () => {
    const harness = await pressKey();
    harness.programs.selected = { text: 'teh', cut: false };
    await harness.ask.openWithAction('correct');
    await harness.reply('the');
    expect(harness.state).toMatchObject({
      surface: 'dictate',
      dictation: { state: { kind: 'listening' } },
    });
    expect(harness.shown.at(-1)).toBe('unfocused');
    await say(harness);
    expect(harness.devices.open).toEqual([]);
    await harness.reply('Hello.');
    expect(harness.programs.inserted.map(({ text }) => text)).toEqual(['the', 'Hello.']);
    expect(harness.state.surface).toBe('closed');
  });
});

it('a dictation that begins while the one before is cancelled keeps its window', async () => {
  const harness = await pressKey();
  const { promise, resolve } = deferred();
  const [microphone] = harness.devices.microphones;
  if (microphone === undefined) throw new Error('No microphone is open.');
  const end = microphone.end.bind(microphone);
  Object.assign(microphone, { end: () => promise.then(end) });
  const cancelled = harness.dictation.cancel();
  harness.dictation.handleKey('press', 'program');
  await flushPromises();
  resolve();
  await cancelled;
  await flushPromises();
  expect(harness.state).toMatchObject({
    surface: 'dictate',
    dictation: { state: { kind: 'listening' } },
  });
  expect(harness.shown.at(-1)).toBe('unfocused');
});

it('the dictation forgets everything when it is cancelled', async () => {
  const harness = await pressKey();
  await say(harness);
  await harness.dictation.cancel();
  await harness.reply('Hello.');
  expect([harness.programs.inserted, harness.state.surface]).toEqual([[], 'closed']);
  expect(harness.state.dictation.text).toBe('');
});
