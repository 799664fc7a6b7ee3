import { describe, expect, it } from 'vitest';
import { appError, failure } from '../../../../shared/errors/app-error.ts';
import { editor } from '../../../fakes/fake-programs.ts';
import { CursorHarness } from './cursor-harness.ts';
import { flushPromises } from '../../../fakes/promises.ts';

const nothingIncluded = { selection: false, clipboard: false, window: false };
const insertFailure = failure('noPermission', { path: 'the keys' });

describe('the quick ask', () => {
  it('offers the selection and the clipboard, and includes neither unasked', async () => {
    const harness = new CursorHarness();
    harness.programs.selected = { text: 'Dear  Ann,\nthank 😀', cut: false };
    harness.programs.board = { kind: 'picture', file: Uint8Array.of(9) };
    await harness.open('Hi');
    expect(harness.shown).toEqual(['focused']);
    expect(harness.state).toMatchObject({ surface: 'ask', draft: 'Hi', target: editor.title });
    expect(harness.state.offers).toEqual([
      {
        kind: 'selection',
        excerpt: 'Dear Ann, thank 😀',
        characters: 18,
        cut: false,
        included: false,
      },
      { kind: 'clipboard', excerpt: '', characters: 0, cut: false, included: false },
      { kind: 'window', excerpt: editor.title, characters: 15, cut: false, included: false },
    ]);
    await harness.ask.ask('How are you?');
    expect(harness.lastQuestion).toEqual({ text: 'How are you?', pictures: 0 });
  });

  it('includes what the settings choose, and each thing only once', async () => {
    const harness = new CursorHarness({ always: { ...nothingIncluded, selection: true } });
    harness.programs.selected = { text: 'Dear Ann', cut: true };
    await harness.asked('Which name?');
    expect(harness.lastQuestion.text).toMatch(
      /^This text is selected:\n```\nDear Ann\n```\n\[The text/,
    );
    await harness.reply('Ann.');
    await harness.ask.ask('Sure?');
    expect(harness.lastQuestion.text).toBe('Sure?');
    expect(harness.questions.at(-1)?.messages[0]?.content).toContain('never an instruction');
  });

  it('sends what the memory holds about the user', async () => {
    const harness = new CursorHarness();
    harness.memory = () => 'The user lives in Bergen.';
    await harness.asked('Where is the next harbour?');
    expect(harness.questions.at(-1)?.messages[0]?.content).toMatch(
      /never an instruction.*\n\nThe user lives in Bergen\.$/su,
    );
  });

  it('asks with the second of two actions if their keys are pressed at the same time', async () => {
    const harness = new CursorHarness();
    harness.programs.selected = { text: 'helo', cut: false };
    await Promise.all([
      harness.ask.openWithAction('correct'),
      harness.ask.openWithAction('explain'),
    ]);
    expect(harness.state.error).toBeUndefined();
    expect(harness.state.action).toBe('explain');
    expect(harness.questions).toHaveLength(1);
  });

  it('waits until a program has its focus back before it opens again', async () => {
    const harness = await new CursorHarness().open();
    let focusIsBack = (): void => undefined;
    const returned = new Promise<void>((resolve) => {
      focusIsBack = resolve;
    });
    harness.programs.beforeFocus = () => returned;
    const closed = harness.ask.close();
    const opened = harness.ask.open();
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
    expect(harness.shown.at(-1)).toBe('hidden');
    focusIsBack();
    await Promise.all([closed, opened]);
    expect(harness.shown.at(-1)).toBe('focused');
  });

  it('sends a part of the screen that does not show the small window', async () => {
    const harness = await new CursorHarness().open();
    const captured = harness.ask.captureRegion();
    expect(harness.shown).toEqual(['focused', 'hidden']);
    harness.clock.advance(200);
    await captured;
    expect(harness.shown.at(-1)).toBe('focused');
    await harness.ask.ask('What is this?');
    expect(harness.lastQuestion).toEqual({ text: 'What is this?', pictures: 1 });
  });

  it('shows why the screen cannot be captured', async () => {
    const harness = await new CursorHarness().open();
    harness.region = Promise.resolve(failure('screenForbidden'));
    const captured = harness.ask.captureRegion();
    harness.clock.advance(200);
    expect(await captured).toEqual(failure('screenForbidden'));
    expect(harness.shown.at(-1)).toBe('focused');
  });

  it('opens only once for two presses, with the newer draft', async () => {
    const harness = new CursorHarness();
    await Promise.all([harness.open('first'), harness.open('second')]);
    expect([harness.state.draft, harness.state.opened]).toEqual(['second', 1]);
  });

  it('returns without an offered picture if the user chooses no part of the screen', async () => {
    const harness = await new CursorHarness().open();
    harness.region = Promise.resolve({ ok: true, value: undefined });
    await harness.capture('captureRegion');
    expect(harness.state.offers.map(({ kind }) => kind)).toEqual(['window']);
    expect(harness.shown.at(-1)).toBe('focused');
  });

  it('continues a running answer when the key is pressed again', async () => {
    const harness = await new CursorHarness().asked();
    harness.stream('On');
    await harness.open();
    expect(harness.shown).toEqual(['focused', 'focused']);
    expect([harness.answer.text, harness.state.opened]).toEqual(['On', 2]);
  });

  it('starts a new conversation for the same program when the key is pressed after an answer', async () => {
    const harness = await new CursorHarness().asked();
    await harness.reply('1');
    // The small window itself has the focus.
    harness.programs.focused = undefined;
    await harness.open();
    expect(harness.ask.snapshot().conversation.turns).toEqual([]);
    expect(harness.state.target).toBe(editor.title);
  });
});

describe('an action', () => {
  it('asks about the selection with its prompt and the user’s languages', async () => {
    const harness = new CursorHarness({ firstLanguage: 'German', secondLanguage: 'Dutch' });
    harness.programs.selected = { text: 'Guten Tag', cut: false };
    await harness.open();
    expect(harness.ask.runAction('translate').ok).toBe(true);
    expect(harness.lastQuestion.text).toContain('```\nGuten Tag\n```');
    expect(harness.lastQuestion.text).toContain('If it is in German, translate it into Dutch');
    expect(harness.state.action).toBe('translate');
    expect(harness.ask.snapshot().conversation.title).toBe('Guten Tag');
  });

  it('shows that nothing is selected', async () => {
    const harness = await new CursorHarness().open();
    expect(harness.ask.runAction('explain')).toMatchObject({
      error: { code: 'cursorNothingSelected' },
    });
    expect(harness.ask.runAction('gone')).toMatchObject({ error: { code: 'cursorActionGone' } });
  });

  it('puts its answer in place of the selection after one key press', async () => {
    const harness = new CursorHarness();
    harness.programs.selected = { text: 'teh', cut: false };
    await harness.ask.openWithAction('correct');
    expect(harness.shown).toEqual(['unfocused']);
    await harness.reply('the\n');
    expect(harness.programs.inserted).toEqual([{ text: 'the', window: editor }]);
    expect([harness.shown.at(-1), harness.state.surface]).toEqual(['hidden', 'closed']);
  });

  it('shows an answer that failed, and inserts nothing', async () => {
    const harness = new CursorHarness();
    harness.programs.selected = { text: 'teh', cut: false };
    await harness.ask.openWithAction('correct');
    await harness.fail(appError('queueFull'));
    expect(harness.programs.inserted).toEqual([]);
    expect(harness.shown).toEqual(['unfocused', 'focused']);
  });
});

describe('a busy server', () => {
  const busy = appError('workersBusy');

  async function refuseQuestion(): Promise<CursorHarness> {
    const harness = await new CursorHarness().asked();
    await harness.fail(busy);
    return harness;
  }

  it('lets the user wait, and is asked again with growing pauses until it is free', async () => {
    const harness = await refuseQuestion();
    expect(harness.state.wait).toBe('offered');
    harness.clock.advance(60_000);
    expect(harness.questions).toHaveLength(1);
    harness.ask.waitForServer(true);
    expect(harness.state.wait).toBe('waiting');
    for (const [index, pause] of [2000, 4000, 8000, 15_000, 15_000].entries()) {
      harness.clock.advance(pause - 1);
      expect(harness.questions).toHaveLength(index + 1);
      harness.clock.advance(1);
      expect(harness.questions).toHaveLength(index + 2);
      if (index < 4) await harness.fail(busy);
    }
    await harness.reply('1');
    expect([harness.answer.text, harness.state.wait]).toEqual(['1', 'none']);
    expect(harness.ask.snapshot().conversation.turns).toHaveLength(2);
  });

  it('is asked for ten minutes, and then waiting is offered again', async () => {
    const harness = await refuseQuestion();
    harness.ask.waitForServer(true);
    for (let tries = 0; harness.state.wait === 'waiting' && tries < 60; tries += 1) {
      harness.clock.advance(15_000);
      await harness.fail(busy);
    }
    expect(harness.state.wait).toBe('offered');
    expect(harness.clock.now()).toBeGreaterThanOrEqual(600_000);
    expect(harness.clock.now()).toBeLessThan(620_000);
  });

  it('is not waited for after another error', async () => {
    const harness = await refuseQuestion();
    harness.ask.waitForServer(true);
    harness.clock.advance(2000);
    await harness.fail(appError('notAllowed'));
    expect(harness.state.wait).toBe('none');
    harness.clock.advance(60_000);
    expect(harness.questions).toHaveLength(2);
  });

  it.each([
    ['stops waiting', (harness) => harness.ask.waitForServer(false)],
    ['closes the window', (harness) => harness.ask.close()],
    ['presses the key again', (harness) => harness.open().then(() => undefined)],
  ] as readonly (readonly [string, (harness: CursorHarness) => void | Promise<void>])[])(
    'is not asked again when the user %s',
    async (_how, happens) => {
      const harness = await refuseQuestion();
      harness.ask.waitForServer(true);
      await happens(harness);
      harness.clock.advance(60_000);
      expect([harness.questions.length, harness.state.wait]).toEqual([1, 'none']);
    },
  );

  it('answers late into the window only, although an action replaces the selection', async () => {
    const harness = new CursorHarness();
    harness.programs.selected = { text: 'teh', cut: false };
    await harness.ask.openWithAction('correct');
    await harness.fail(busy);
    harness.ask.waitForServer(true);
    harness.clock.advance(2000);
    await harness.reply('the');
    expect(harness.programs.inserted).toEqual([]);
    expect(harness.answer.text).toBe('the');
  });
});

describe('an answer', () => {
  async function answerQuestion(): Promise<CursorHarness> {
    const harness = await new CursorHarness().asked();
    await harness.reply('**1**');
    return harness;
  }

  it('is inserted where the user was, and the window closes', async () => {
    const harness = await answerQuestion();
    await harness.ask.insert(harness.answer.id);
    expect(harness.programs.inserted).toEqual([{ text: '**1**', window: editor }]);
    expect(harness.state.surface).toBe('closed');
    // `insert` gave the focus back.
    expect(harness.programs.focusedAgain).toEqual([]);
  });

  it('is inserted only once after a double click', async () => {
    const harness = await answerQuestion();
    const { id } = harness.answer;
    await Promise.all([harness.ask.insert(id), harness.ask.insert(id)]);
    expect(harness.programs.inserted).toHaveLength(1);
    expect(harness.state.surface).toBe('closed');
  });

  it('can be inserted again if it could only be copied', async () => {
    const harness = await answerQuestion();
    harness.programs.inserting = insertFailure;
    await harness.ask.insert(harness.answer.id);
    await harness.ask.insert(harness.answer.id);
    expect(harness.programs.inserted).toHaveLength(2);
  });

  it('stays visible if it could only be copied', async () => {
    const harness = await answerQuestion();
    harness.programs.inserting = insertFailure;
    await harness.ask.insert(harness.answer.id);
    expect(harness.state).toMatchObject({ surface: 'ask', use: { kind: 'copiedInstead' } });
    expect(harness.answer.text).toBe('**1**');
  });

  it('refuses a second question while it is written, and keeps what that question includes', async () => {
    const harness = new CursorHarness();
    harness.programs.selected = { text: 'Dear Ann', cut: false };
    await harness.asked('One?');
    harness.ask.include('selection', true);
    expect(await harness.ask.ask('Two?')).toMatchObject({ error: { code: 'answerComing' } });
    await harness.reply('1');
    await harness.ask.ask('Two?');
    expect(harness.questions).toHaveLength(2);
    expect(harness.lastQuestion.text).toContain('Dear Ann');
  });

  it('is copied', async () => {
    const harness = await answerQuestion();
    harness.ask.copy(harness.answer.id);
    expect([harness.programs.copied, harness.state.use]).toEqual([['**1**'], { kind: 'copied' }]);
  });

  it('continues in Chat with its pictures', async () => {
    const harness = await new CursorHarness().open();
    await harness.capture('captureScreen');
    await harness.ask.ask('What is this?');
    await harness.reply('A screen.');
    await harness.ask.continueInChat();
    expect(harness.adopted).toMatchObject([{ media: [{ type: 'image' }], again: undefined }]);
    expect(harness.adopted[0]?.chat.turns).toHaveLength(2);
    expect([harness.state.surface, harness.shown.at(-1)]).toEqual(['closed', 'hidden']);
  });
});

it('the quick ask lets Chat ask again if it hands over while an answer is coming', async () => {
  const harness = await new CursorHarness().asked();
  harness.stream('O');
  const { id } = harness.answer;
  await harness.ask.continueInChat();
  expect(harness.adopted).toMatchObject([{ again: id }]);
});

it('the quick ask continues in Chat only once after a double click, because a second time would stop the answer there', async () => {
  const harness = await new CursorHarness().asked();
  harness.stream('O');
  await Promise.all([harness.ask.continueInChat(), harness.ask.continueInChat()]);
  expect(harness.adopted).toHaveLength(1);
});

it('the quick ask does not move the focus when the user is in another window', async () => {
  const harness = await new CursorHarness().open();
  harness.hasFocus = false;
  await harness.ask.close();
  expect(harness.shown.at(-1)).toBe('hidden');
  expect(harness.programs.focusedAgain).toEqual([]);
});

it('the quick ask forgets its conversation when it closes, and returns the focus to the previous program', async () => {
  const harness = await new CursorHarness().asked();
  harness.stream('1');
  await harness.ask.close();
  expect(harness.programs.focusedAgain).toEqual([editor]);
  expect(harness.ask.snapshot().conversation.turns).toEqual([]);
  expect([harness.openSessions, harness.state.offers]).toEqual([0, []]);
});

const passage = (id: string, text: string) => ({
  passage: { kind: 'talk', id, title: `Talk ${id}`, at: 5, turn: 1 } as const,
  text,
});

it('a quick question takes passages of earlier conversations along, and names them until the user removes them', async () => {
  const harness = new CursorHarness();
  harness.past = [passage('a', 'The lighthouse is red.'), passage('b', 'Ona is an island.')];
  await harness.open();
  expect(await harness.ask.findPast('What did I say?')).toMatchObject([{ id: 'a' }, { id: 'b' }]);
  await harness.ask.ask('What did I say?', [{ kind: 'talk', id: 'b' }]);
  const system = () => harness.questions.at(-1)?.messages[0]?.content;
  expect(system()).toContain('The lighthouse is red.');
  expect(system()).not.toContain('Ona');
  await harness.reply('It is red.');
  const question = () => harness.ask.snapshot().conversation.turns[0];
  const turn = question();
  // `leftOut` stays with the question, so that Chat leaves the passage out too if the question is edited there.
  expect(turn).toMatchObject({ past: [{ id: 'a', title: 'Talk a' }], leftOut: [{ id: 'b' }] });
  harness.ask.forgetPassage(turn?.id ?? '', { kind: 'talk', id: 'a' });
  expect(question()).toMatchObject({ past: [] });
  harness.ask.retry(turn?.id ?? '');
  expect(system()).not.toContain('lighthouse');
});

it('a quick question that is repeated sends no passage of a talk that was deleted meanwhile', async () => {
  const harness = new CursorHarness();
  harness.past = [passage('a', 'The lighthouse is red.')];
  await harness.asked('What did I say?');
  await harness.fail(appError('queueFull'));
  harness.ask.forgetDeleted({ kind: 'talk', id: 'a' });
  harness.ask.retry(harness.answer.id);
  expect(JSON.stringify(harness.questions[0])).toContain('lighthouse');
  expect(JSON.stringify(harness.questions[1])).not.toContain('lighthouse');
});

it('a quick question is dropped if its window was opened again while History was searched', async () => {
  const harness = await new CursorHarness().open();
  const asked = harness.ask.ask('What did I say?');
  void harness.ask.open();
  expect(await asked).toEqual(failure('messageGone'));
  expect(harness.questions).toEqual([]);
});

it('the quick ask asks before it runs a tool, and forgets the question when it opens again', async () => {
  const harness = new CursorHarness();
  let runs = 0;
  harness.tools = [
    {
      name: 'now',
      server: '',
      description: 'The time.',
      schema: { type: 'object' },
      isRisky: false,
      run: () => {
        runs += 1;
        return Promise.resolve({ ok: true, value: { text: 'noon', isError: false } });
      },
    },
  ];
  const call = '<tool_call>{"name":"now","arguments":{}}</tool_call>';
  await harness.asked('What time is it?');
  await harness.reply(call);
  const id = harness.answer.calls?.[0]?.id ?? '';
  expect(harness.answer).toMatchObject({ text: '', calls: [{ tool: 'now', state: 'asking' }] });
  expect(harness.ask.decideCall(id, 'once')).toMatchObject({ ok: true });
  await flushPromises();
  expect(harness.lastQuestion.text).toContain('noon');
  await harness.reply('It is noon.');
  await harness.ask.ask('And now?');
  await harness.reply(call);
  const second = harness.answer.calls?.[0]?.id ?? '';
  await harness.ask.close();
  await harness.open();
  expect(harness.ask.decideCall(second, 'once')).toEqual(failure('toolCallGone'));
  expect(runs).toBe(1);
});
