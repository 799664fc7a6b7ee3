import { describe, expect, it } from 'vitest';
import { text } from '../talk/session/session-harness.ts';
import { OpenThreadHarness, done, pageOf, words } from './open-thread-harness.ts';
import { appError } from '../../../../shared/errors/app-error.ts';

describe('a written conversation', () => {
  it('connects with the first question and asks further questions on the same session, with the messages before them', () => {
    const harness = new OpenThreadHarness({ system: 'Be brief.' });
    expect(harness.sockets.lines).toHaveLength(0);
    harness.exchange('Hello', 'Hi.').exchange('And?', 'Nothing.');
    expect(harness.sockets.lines).toHaveLength(1);
    expect(harness.questions.map(({ messages }) => messages)).toEqual([
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'And?' },
      ],
    ]);
    expect(harness.turns.map((turn) => turn.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(harness.chat.conversation.title).toBe('Hello');
  });

  it('is named after the question, not after a text that goes with it', () => {
    const harness = new OpenThreadHarness();
    harness.chat.send([
      ...words('This text is selected:\n```\nDear Ann\n```'),
      ...words('Which name?'),
    ]);
    expect(harness.chat.conversation.title).toBe('Which name?');
  });

  it('streams in pieces that add up to the same text on a page', () => {
    const harness = new OpenThreadHarness();
    const begin = harness.chat.conversation;
    harness.chat.send(words('Hello'));
    harness.live().say(text('He'), text('llo'));
    expect(harness.answer).toMatchObject({ text: 'Hello', state: { kind: 'streaming' } });
    harness.clock.advance(700);
    harness.say({ ...done('Hello there'), metrics: { values: {}, contextTokens: 512 } });
    expect(harness.patchesOf('text').map(({ from, text }) => [from, text])).toEqual([
      [0, 'He'],
      [2, 'llo'],
      [5, ' there'],
    ]);
    expect(harness.answer.state).toEqual({ kind: 'done', cutShort: false });
    expect(harness.answer.stats).toEqual({ firstMs: 0, totalMs: 700, contextTokens: 512 });
    const { turns, title } = harness.chat.conversation;
    expect(pageOf(begin, harness.patches)).toMatchObject({ turns, title });
  });

  it('is saved every 1.5 s during an answer and once at its end', () => {
    const harness = new OpenThreadHarness();
    harness.chat.send(words('Hello'));
    harness.live().say(text('Once '));
    const savedTexts = () =>
      harness.saved.map(({ turns }) =>
        turns.map((turn) => ('text' in turn ? turn.text : 'question')),
      );
    expect(savedTexts()).toEqual([['question', '']]);
    harness.clock.advance(1000);
    harness.say(text('upon '));
    harness.clock.advance(500);
    // An empty answer has no text to save.
    harness.clock.advance(10_000);
    harness.say(text('a time'), done('Once upon a time'));
    harness.clock.advance(10_000);
    expect(savedTexts().slice(1)).toEqual([
      ['question', 'Once upon '],
      ['question', 'Once upon a time'],
    ]);
  });

  it('replaces the streamed text by the text at the end, and reports an answer cut by its length', () => {
    const harness = new OpenThreadHarness();
    harness.chat.send(words('Hello'));
    harness.live().say(text('Hxllo'), { ...done('Hello'), reason: 'length' });
    expect(harness.patchesOf('rewritten')).toMatchObject([{ text: 'Hello' }]);
    expect(harness.answer).toMatchObject({
      text: 'Hello',
      state: { kind: 'done', cutShort: true },
    });
  });

  it('carries the options, which apply from the next question on', () => {
    const voice = new Float32Array(8);
    const harness = new OpenThreadHarness(
      {},
      { voice: (id) => (id === 'mine' ? voice : undefined) },
    );
    harness.exchange('One', '1');
    const options = {
      ...harness.chat.options,
      streaming: false,
      speech: true,
      voice: 'mine',
      maxNewTokens: 64,
      lengthPenalty: 1.2,
      thinking: true,
      maxSlices: 4,
    };
    harness.chat.setOptions(options);
    harness.exchange('Two', '2');
    expect(harness.questions[0]).toMatchObject({ streaming: true, speech: undefined });
    expect(harness.questions[1]).toMatchObject({
      streaming: false,
      speech: { enabled: true, voice },
      useTtsTemplate: true,
      maxNewTokens: 64,
      lengthPenalty: 1.2,
      thinking: true,
      maxSlices: 4,
    });
    expect(harness.patchesOf('options')).toEqual([{ kind: 'options', options }]);
    harness.chat.setOptions({ ...options, ttsTemplate: false });
    harness.exchange('Two and a half', '2');
    expect(harness.questions[2]).toMatchObject({ useTtsTemplate: false });
    harness.chat.setOptions({ ...options, voice: 'gone' });
    expect(harness.chat.send(words('Three'))).toMatchObject({ ok: false });
    expect(harness.turns).toHaveLength(6);
  });

  it('stops with the text so far and continues with a new session', () => {
    const harness = new OpenThreadHarness();
    harness.chat.send(words('Tell me a story'));
    harness.live().say(text('Once upon'));
    harness.chat.stop();
    harness.say(text(' a time'), done('Once upon a time'));
    expect(harness.answer).toMatchObject({ text: 'Once upon', state: { kind: 'stopped' } });
    expect(harness.asked.at(-1)?.ask).toEqual({ kind: 'close', reason: 'turn_done' });
    expect(harness.chat.isBusy).toBe(false);
    harness.chat.stop();
    harness.chat.send(words('Go on'));
    harness.live();
    // The stopped session ends only now, which must not affect the new answer.
    harness.clock.advance(5000);
    expect(harness.answer.state).toEqual({ kind: 'streaming' });
    harness.say(done('a time'));
    expect(harness.sockets.lines).toHaveLength(2);
    expect(harness.questions[1]?.messages.map(({ content }) => content)).toEqual([
      'Tell me a story',
      'Once upon',
      'Go on',
    ]);
    expect(harness.answer).toMatchObject({ text: 'a time', state: { kind: 'done' } });
  });

  it('takes one question at a time, even if a button is pressed twice', () => {
    const harness = new OpenThreadHarness();
    harness.chat.send(words('Hello'));
    expect(harness.chat.send(words('Hello'))).toMatchObject({ ok: false });
    const [question] = harness.turns;
    for (const refused of [
      harness.chat.retry(question?.id ?? ''),
      harness.chat.edit(question?.id ?? '', words('x')),
      harness.chat.remove(question?.id ?? ''),
      harness.chat.chooseBranch('x'),
    ]) {
      expect(refused).toMatchObject({
        ok: false,
        error: { code: 'answerComing' },
      });
    }
    expect(harness.turns).toHaveLength(2);
  });

  it('refuses a message that is empty or too long', () => {
    const harness = new OpenThreadHarness();
    expect(harness.chat.send(words(' \n '))).toMatchObject({ ok: false });
    expect(harness.chat.send([])).toMatchObject({ ok: false });
    expect(harness.chat.send(words('a'.repeat(1_000_001)))).toMatchObject({ ok: false });
    expect(harness.sockets.lines).toHaveLength(0);
    expect(harness.saved).toEqual([]);
  });

  it('closes its session, and does nothing if no session is open', async () => {
    const harness = new OpenThreadHarness();
    harness.exchange('Hello', 'Hi.');
    let closed = false;
    const closing = harness.chat.close().then(() => (closed = true));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(closed).toBe(false);
    harness.clock.advance(5000);
    await closing;
    expect(harness.sockets.line.state).toBe('ended');
    await new OpenThreadHarness().chat.close();
  });
});

function texts(harness: OpenThreadHarness): readonly string[] {
  return harness.turns.map((turn) =>
    turn.role === 'assistant'
      ? turn.text
      : turn.parts.map((part) => (part.type === 'text' ? part.text : part.type)).join(' '),
  );
}

function idAt(harness: OpenThreadHarness, index: number): string {
  return harness.turns[index]?.id ?? '';
}

/** Two questions with their answers. */
function twoExchanges(): OpenThreadHarness {
  return new OpenThreadHarness().exchange('One', '1').exchange('Two', '2');
}

describe('editing a conversation', () => {
  it('makes a branch of the turns after an edited question, which can be chosen again', () => {
    const harness = twoExchanges();
    const begin = harness.chat.conversation;
    const before = harness.patches.length;
    expect(harness.chat.edit(idAt(harness, 0), words('Uno'))).toEqual({ ok: true });
    harness.say(done('I'));
    expect(texts(harness)).toEqual(['Uno', 'I']);
    expect(harness.questions.at(-1)?.messages).toEqual([{ role: 'user', content: 'Uno' }]);
    const [branch] = harness.chat.conversation.branches;
    expect(branch?.turns).toHaveLength(4);
    expect(harness.chat.chooseBranch(branch?.id ?? '')).toEqual({ ok: true });
    expect(texts(harness)).toEqual(['One', '1', 'Two', '2']);
    harness.chat.chooseBranch(harness.chat.conversation.branches[0]?.id ?? '');
    expect(texts(harness)).toEqual(['Uno', 'I']);
    expect(pageOf(begin, harness.patches.slice(before)).turns).toEqual(harness.turns);
  });

  it('makes a branch of an answer and the turns after it when the answer is retried', () => {
    const harness = twoExchanges();
    harness.chat.retry(idAt(harness, 1));
    harness.say(done('eins'));
    expect(texts(harness)).toEqual(['One', 'eins']);
    expect(harness.chat.conversation.branches).toMatchObject([
      { after: idAt(harness, 0), turns: [{ text: '1' }, {}, { text: '2' }] },
    ]);
  });

  it('makes no branch of an empty answer', () => {
    const harness = new OpenThreadHarness();
    harness.chat.send(words('One'));
    harness.sockets.line.end({ kind: 'unreachable', error: appError('badAddress') });
    harness.chat.retry(idAt(harness, 0));
    harness.live().say(done('1'));
    expect(texts(harness)).toEqual(['One', '1']);
    expect(harness.chat.conversation.branches).toEqual([]);
  });

  it('shows the version that has a turn, also if that version is within another', () => {
    const harness = twoExchanges();
    const hidden = idAt(harness, 3);
    harness.chat.retry(hidden);
    harness.say(done('zwei'));
    harness.chat.edit(idAt(harness, 0), words('Uno'));
    expect(harness.chat.showTurn(hidden)).toMatchObject({ error: { code: 'answerComing' } });
    harness.say(done('I'));
    const newest = idAt(harness, 1);
    const { updatedAt } = harness.chat.conversation;
    harness.saved.length = 0;
    harness.clock.advance(5000);
    harness.chat.showTurn(hidden);
    expect(texts(harness)).toEqual(['One', '1', 'Two', '2']);
    // Reading is no change.
    expect(harness.saved).toEqual([]);
    expect(harness.chat.conversation).toMatchObject({ updatedAt });
    expect(harness.chat.showTurn('none')).toEqual({ ok: true });
    harness.chat.showTurn(newest);
    expect(texts(harness)).toEqual(['Uno', 'I']);
  });

  it('keeps the branches within a branch, and those after an empty answer', () => {
    const harness = twoExchanges();
    harness.chat.retry(idAt(harness, 3));
    harness.say(done('zwei'));
    harness.chat.retry(idAt(harness, 1));
    harness.chat.stop();
    const chosen = () => harness.chat.conversation.branches.find(({ turns }) => turns.length > 1);
    harness.chat.chooseBranch(chosen()?.id ?? '');
    expect(texts(harness)).toEqual(['One', '1', 'Two', 'zwei']);
    expect(harness.chat.conversation.branches).toMatchObject([
      { after: idAt(harness, 2), turns: [{ text: '2' }] },
    ]);
    harness.chat.retry(idAt(harness, 1));
    harness.chat.stop();
    harness.chat.send(words('Three'));
    harness.live().say(done('3'));
    harness.chat.edit(idAt(harness, 2), words('Drei'));
    harness.say(done('drei'));
    harness.chat.remove(idAt(harness, 2));
    harness.chat.retry(idAt(harness, 0));
    harness.say(done('eins'));
    const { turns, branches } = harness.chat.conversation;
    const all = [...turns, ...branches.flatMap((branch) => branch.turns)];
    expect(all).toContainEqual(expect.objectContaining({ text: '3' }));
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(branches.map(({ after }) => after)));
  });

  it('changes nothing if the new question cannot be asked', () => {
    const harness = twoExchanges();
    const before = harness.chat.conversation;
    expect(harness.chat.edit(idAt(harness, 0), words(''))).toMatchObject({ ok: false });
    expect(harness.chat.edit(idAt(harness, 1), words('x'))).toMatchObject({ ok: false });
    expect(harness.chat.retry('none')).toMatchObject({ ok: false });
    expect(harness.chat.chooseBranch('none')).toMatchObject({ ok: false });
    expect(harness.chat.conversation).toBe(before);
  });
});

describe('removing a turn', () => {
  it('removes a question with its answer, and leaves the turns after it', () => {
    const harness = twoExchanges();
    harness.chat.remove(idAt(harness, 0));
    expect(texts(harness)).toEqual(['Two', '2']);
    harness.exchange('Three', '3');
    expect(harness.questions.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'Two',
      '2',
      'Three',
    ]);
  });

  it('removes an answer without its question, which can be retried', () => {
    const harness = twoExchanges();
    harness.chat.remove(idAt(harness, 1));
    expect(texts(harness)).toEqual(['One', 'Two', '2']);
    harness.chat.retry(idAt(harness, 0));
    harness.say(done('1'));
    expect(texts(harness)).toEqual(['One', '1']);
  });
});
