import { describe, expect, it } from 'vitest';
import { text } from '../talk/session/server-events.ts';
import { ChatSessionStage, done, pageOf, words } from './chat-session-stage.ts';
import { appError } from '../../../../shared/errors/app-error.ts';

describe('a written conversation', () => {
  it('connects with the first question and asks many on one session, with what was said before', () => {
    const stage = new ChatSessionStage({ system: 'Be brief.' });
    expect(stage.sockets.lines).toHaveLength(0);
    stage.exchange('Hello', 'Hi.').exchange('And?', 'Nothing.');
    expect(stage.sockets.lines).toHaveLength(1);
    expect(stage.questions.map(({ messages }) => messages)).toEqual([
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
    expect(stage.turns.map((turn) => turn.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(stage.chat.conversation.title).toBe('Hello');
  });

  it('streams in pieces that add up to the same text on a page', () => {
    const stage = new ChatSessionStage();
    const begin = stage.chat.conversation;
    stage.chat.send(words('Hello'));
    stage.live().say(text('He'), text('llo'));
    expect(stage.answer).toMatchObject({ text: 'Hello', state: { kind: 'streaming' } });
    stage.clock.advance(700);
    stage.say(done('Hello there'));
    expect(stage.patchesOf('text').map(({ from, text }) => [from, text])).toEqual([
      [0, 'He'],
      [2, 'llo'],
      [5, ' there'],
    ]);
    expect(stage.answer.state).toEqual({ kind: 'done', cutShort: false });
    expect(stage.answer.stats).toMatchObject({ firstMs: 0, totalMs: 700 });
    const { turns, title } = stage.chat.conversation;
    expect(pageOf(begin, stage.patches)).toMatchObject({ turns, title });
  });

  it('is saved every 1.5 s during an answer and once at its end', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('Hello'));
    stage.live().say(text('Once '));
    const savedTexts = () =>
      stage.saved.map(({ turns }) =>
        turns.map((turn) => ('text' in turn ? turn.text : 'question')),
      );
    expect(savedTexts()).toEqual([['question', '']]);
    stage.clock.advance(1000);
    stage.say(text('upon '));
    stage.clock.advance(500);
    // An empty answer has no text to save.
    stage.clock.advance(10_000);
    stage.say(text('a time'), done('Once upon a time'));
    stage.clock.advance(10_000);
    expect(savedTexts().slice(1)).toEqual([
      ['question', 'Once upon '],
      ['question', 'Once upon a time'],
    ]);
  });

  it('posts no further text if the end repeats the streamed text', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('Hello'));
    stage.live().say(text('Hello'), done('Hello'));
    expect(stage.patchesOf('text')).toHaveLength(1);
    expect(stage.patchesOf('rewritten')).toEqual([]);
  });

  it('replaces the streamed text by that of the end, and reports an answer cut by its length', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('Hello'));
    stage.live().say(text('Hxllo'), { ...done('Hello'), reason: 'length' });
    expect(stage.patchesOf('rewritten')).toMatchObject([{ text: 'Hello' }]);
    expect(stage.answer).toMatchObject({ text: 'Hello', state: { kind: 'done', cutShort: true } });
  });

  it('carries the options, which apply from the next question on', () => {
    const voice = new Float32Array(8);
    const stage = new ChatSessionStage({}, { voice: (id) => (id === 'mine' ? voice : undefined) });
    stage.exchange('One', '1');
    const options = {
      ...stage.chat.options,
      streaming: false,
      speech: true,
      voice: 'mine',
      maxNewTokens: 64,
      lengthPenalty: 1.2,
      thinking: true,
      maxSlices: 4,
    };
    stage.chat.setOptions(options);
    stage.exchange('Two', '2');
    expect(stage.questions[0]).toMatchObject({ streaming: true, speech: undefined });
    expect(stage.questions[1]).toMatchObject({
      streaming: false,
      speech: { enabled: true, voice },
      useTtsTemplate: true,
      maxNewTokens: 64,
      lengthPenalty: 1.2,
      thinking: true,
      maxSlices: 4,
    });
    expect(stage.patchesOf('options')).toEqual([{ kind: 'options', options }]);
    stage.chat.setOptions({ ...options, ttsTemplate: false });
    stage.exchange('Two and a half', '2');
    expect(stage.questions[2]).toMatchObject({ useTtsTemplate: false });
    stage.chat.setOptions({ ...options, voice: 'gone' });
    expect(stage.chat.send(words('Three'))).toMatchObject({ ok: false });
    expect(stage.turns).toHaveLength(6);
  });

  it('stops with the text so far and continues with a new session', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('Tell me a story'));
    stage.live().say(text('Once upon'));
    stage.chat.stop();
    stage.say(text(' a time'), done('Once upon a time'));
    expect(stage.answer).toMatchObject({ text: 'Once upon', state: { kind: 'stopped' } });
    expect(stage.asked.at(-1)?.ask).toEqual({ kind: 'close', reason: 'turn_done' });
    expect(stage.chat.isBusy).toBe(false);
    stage.chat.stop();
    stage.chat.send(words('Go on'));
    stage.live();
    // The stopped session ends only now, which must not affect the new answer.
    stage.clock.advance(5000);
    expect(stage.answer.state).toEqual({ kind: 'streaming' });
    stage.say(done('a time'));
    expect(stage.sockets.lines).toHaveLength(2);
    expect(stage.questions[1]?.messages.map(({ content }) => content)).toEqual([
      'Tell me a story',
      'Once upon',
      'Go on',
    ]);
    expect(stage.answer).toMatchObject({ text: 'a time', state: { kind: 'done' } });
  });

  it('takes one question at a time, even if a button is pressed twice', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('Hello'));
    expect(stage.chat.send(words('Hello'))).toMatchObject({ ok: false });
    const [question] = stage.turns;
    for (const refused of [
      stage.chat.retry(question?.id ?? ''),
      stage.chat.edit(question?.id ?? '', words('x')),
      stage.chat.remove(question?.id ?? ''),
      stage.chat.chooseBranch('x'),
    ]) {
      expect(refused).toMatchObject({
        ok: false,
        error: { code: 'answerComing' },
      });
    }
    expect(stage.turns).toHaveLength(2);
  });

  it('refuses a message that is empty or too long', () => {
    const stage = new ChatSessionStage();
    expect(stage.chat.send(words(' \n '))).toMatchObject({ ok: false });
    expect(stage.chat.send([])).toMatchObject({ ok: false });
    expect(stage.chat.send(words('a'.repeat(1_000_001)))).toMatchObject({ ok: false });
    expect(stage.sockets.lines).toHaveLength(0);
    expect(stage.saved).toEqual([]);
  });

  it('closes its session, or nothing if none is open', async () => {
    const stage = new ChatSessionStage();
    stage.exchange('Hello', 'Hi.');
    let closed = false;
    const closing = stage.chat.close().then(() => (closed = true));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(closed).toBe(false);
    stage.clock.advance(5000);
    await closing;
    expect(stage.sockets.line.state).toBe('ended');
    await new ChatSessionStage().chat.close();
  });
});

function texts(stage: ChatSessionStage): readonly string[] {
  return stage.turns.map((turn) =>
    turn.role === 'assistant'
      ? turn.text
      : turn.parts.map((part) => (part.type === 'text' ? part.text : part.type)).join(' '),
  );
}

function idAt(stage: ChatSessionStage, index: number): string {
  return stage.turns[index]?.id ?? '';
}

/** Two questions with their answers. */
function twoExchanges(): ChatSessionStage {
  return new ChatSessionStage().exchange('One', '1').exchange('Two', '2');
}

describe('editing a conversation', () => {
  it('makes a branch of the turns after an edited question, which can be chosen again', () => {
    const stage = twoExchanges();
    const begin = stage.chat.conversation;
    const before = stage.patches.length;
    expect(stage.chat.edit(idAt(stage, 0), words('Uno'))).toEqual({ ok: true });
    stage.say(done('I'));
    expect(texts(stage)).toEqual(['Uno', 'I']);
    expect(stage.questions.at(-1)?.messages).toEqual([{ role: 'user', content: 'Uno' }]);
    const [branch] = stage.chat.conversation.branches;
    expect(branch?.turns).toHaveLength(4);
    expect(stage.chat.chooseBranch(branch?.id ?? '')).toEqual({ ok: true });
    expect(texts(stage)).toEqual(['One', '1', 'Two', '2']);
    stage.chat.chooseBranch(stage.chat.conversation.branches[0]?.id ?? '');
    expect(texts(stage)).toEqual(['Uno', 'I']);
    expect(pageOf(begin, stage.patches.slice(before)).turns).toEqual(stage.turns);
  });

  it('makes a branch of an answer and what followed when it is retried', () => {
    const stage = twoExchanges();
    stage.chat.retry(idAt(stage, 1));
    stage.say(done('eins'));
    expect(texts(stage)).toEqual(['One', 'eins']);
    expect(stage.chat.conversation.branches).toMatchObject([
      { after: idAt(stage, 0), turns: [{ text: '1' }, {}, { text: '2' }] },
    ]);
  });

  it('makes no branch of an empty answer', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('One'));
    stage.sockets.line.end({ kind: 'unreachable', error: appError('badAddress') });
    stage.chat.retry(idAt(stage, 0));
    stage.live().say(done('1'));
    expect(texts(stage)).toEqual(['One', '1']);
    expect(stage.chat.conversation.branches).toEqual([]);
  });

  it('changes nothing if the new question cannot be asked', () => {
    const stage = twoExchanges();
    const before = stage.chat.conversation;
    expect(stage.chat.edit(idAt(stage, 0), words(''))).toMatchObject({ ok: false });
    expect(stage.chat.edit(idAt(stage, 1), words('x'))).toMatchObject({ ok: false });
    expect(stage.chat.retry('none')).toMatchObject({ ok: false });
    expect(stage.chat.chooseBranch('none')).toMatchObject({ ok: false });
    expect(stage.chat.conversation).toBe(before);
  });
});

describe('removing a turn', () => {
  it('removes a question with its answer, and leaves what followed', () => {
    const stage = twoExchanges();
    stage.chat.remove(idAt(stage, 0));
    expect(texts(stage)).toEqual(['Two', '2']);
    stage.exchange('Three', '3');
    expect(stage.questions.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'Two',
      '2',
      'Three',
    ]);
  });

  it('removes an answer without its question, which can be retried', () => {
    const stage = twoExchanges();
    stage.chat.remove(idAt(stage, 1));
    expect(texts(stage)).toEqual(['One', 'Two', '2']);
    stage.chat.retry(idAt(stage, 0));
    stage.say(done('1'));
    expect(texts(stage)).toEqual(['One', '1']);
  });

  it('removes the question’s other answers, and keeps branches that follow', () => {
    const stage = twoExchanges();
    stage.chat.edit(idAt(stage, 2), words('Zwei'));
    stage.say(done('II'));
    stage.chat.retry(idAt(stage, 1));
    stage.say(done('eins'));
    expect(stage.chat.conversation.branches).toHaveLength(2);
    stage.chat.remove(idAt(stage, 0));
    expect(stage.chat.conversation.branches).toEqual([]);
    const other = twoExchanges();
    other.chat.edit(idAt(other, 2), words('Zwei'));
    other.say(done('II'));
    other.chat.remove(idAt(other, 0));
    other.chat.chooseBranch(other.chat.conversation.branches[0]?.id ?? '');
    expect(texts(other)).toEqual(['Two', '2']);
  });
});
