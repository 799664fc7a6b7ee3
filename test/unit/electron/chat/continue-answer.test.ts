import { describe, expect, it } from 'vitest';
import {
  continuationBase,
  textBeforeContinuation,
  isCutShort,
} from '../../../../electron/chat/answer-stream.ts';
import { error, sound, text } from '../talk/session/server-events.ts';
import { ChatSessionHarness, done, pageOf, words } from './chat-session-harness.ts';

const continuePrompt = () => 'Go on.';
const second = () => ({ ...sound(), audio: new Float32Array(24_000).fill(0.1) });
const cut = (text: string) => ({ ...done(text), reason: 'length' });

/** An answer that was cut in the middle of a word. */
function cutAnswerHarness(): ChatSessionHarness {
  const harness = new ChatSessionHarness({}, { continuePrompt });
  harness.chat.send(words('Tell'));
  harness.live().say(text('Once upon'), cut('Once upon a ti'));
  return harness;
}

describe('continuing an answer', () => {
  it('asks for the rest, and appends it to the text', () => {
    const harness = cutAnswerHarness();
    const begin = harness.chat.conversation;
    harness.patches.splice(0);
    expect(harness.chat.continueAnswer(harness.answer.id)).toEqual({ ok: true });
    expect(harness.answer).toMatchObject({ text: 'Once upon a ti', state: { kind: 'streaming' } });
    expect(harness.questions.at(-1)?.messages).toEqual([
      { role: 'user', content: 'Tell' },
      { role: 'assistant', content: 'Once upon a ' },
      { role: 'user', content: 'Go on.' },
    ]);
    harness.say(text('time there'), text(' was'), done('time there was.'));
    expect(harness.answer).toMatchObject({
      text: 'Once upon a time there was.',
      state: { kind: 'done', cutShort: false },
    });
    expect(harness.turns).toHaveLength(2);
    expect(pageOf(begin, harness.patches).turns).toEqual(harness.chat.conversation.turns);
    expect(harness.saved.at(-1)?.turns).toEqual(harness.turns);
  });

  it('may be cut and continued again, and the next question has all of it as one answer', () => {
    const harness = cutAnswerHarness();
    harness.chat.continueAnswer(harness.answer.id);
    harness.say(cut('time the'));
    expect(harness.answer).toMatchObject({
      text: 'Once upon a time the',
      state: { cutShort: true },
    });
    harness.chat.continueAnswer(harness.answer.id);
    harness.say(done('there was.'));
    harness.chat.send(words('Who?'));
    expect(harness.questions.at(-1)?.messages).toEqual([
      { role: 'user', content: 'Tell' },
      { role: 'assistant', content: 'Once upon a time there was.' },
      { role: 'user', content: 'Who?' },
    ]);
  });

  it('works after a stop, and loses no text if the rest fails', () => {
    const harness = new ChatSessionHarness({}, { continuePrompt });
    harness.chat.send(words('Tell'));
    harness.live().say(text('Once upon'));
    harness.chat.stop();
    harness.chat.continueAnswer(harness.answer.id);
    harness.live().say(error('inference_error'));
    expect(harness.answer).toMatchObject({ text: 'Once upon', state: { kind: 'failed' } });
    harness.chat.continueAnswer(harness.answer.id);
    harness.say(done('upon a time.'));
    expect(harness.answer.text).toBe('Once upon a time.');
  });

  it('adds its speech to the cached speech and marks the right words as heard', () => {
    const harness = new ChatSessionHarness({ speech: true }, { continuePrompt });
    harness.chat.send(words('Tell'));
    harness.live().say(second(), cut('Once upon a ti'));
    harness.clock.advance(5000);
    harness.chat.continueAnswer(harness.answer.id);
    harness.say(text('time.'), second(), done('time.'));
    harness.clock.advance(5000);
    expect(harness.answer.speechSeconds).toBe(2);
    expect(harness.patchesOf('caption').at(-1)?.heard).toBe('Once upon a time.'.length);
  });

  it('is refused for all but the newest answer, and during an answer', () => {
    const harness = cutAnswerHarness();
    const { id } = harness.answer;
    harness.chat.continueAnswer(id);
    expect(harness.chat.continueAnswer(id)).toMatchObject({
      ok: false,
      error: { code: 'answerComing' },
    });
    harness.say(done('time.'));
    harness.exchange('And?', 'Nothing.');
    expect(harness.chat.continueAnswer(id)).toMatchObject({
      ok: false,
      error: { code: 'messageGone' },
    });
  });
});

describe('an answer that reached its token limit', () => {
  const tokenStats = (n_tokens: number) => ({ metrics: { values: { n_tokens } } });

  it('is detected by its token count if the reason does not tell', () => {
    const harness = new ChatSessionHarness({ maxNewTokens: 64 });
    harness.chat.send(words('Tell'));
    harness.live().say({ ...done('Once upon a'), ...tokenStats(64) });
    expect(harness.answer.state).toEqual({ kind: 'done', cutShort: true });
    harness.chat.send(words('Again'));
    harness.say({ ...done('Once upon a'), ...tokenStats(63) });
    expect(harness.answer.state).toEqual({ kind: 'done', cutShort: false });
  });

  it('is not assumed for a whole sentence of that length, or without a token count', () => {
    const end = { reason: 'turn_end', text: 'Once', tokens: 256, limit: undefined };
    expect(isCutShort(end)).toBe(true);
    expect(isCutShort({ ...end, text: 'It was. ' })).toBe(false);
    expect(isCutShort({ ...end, text: '好了。' })).toBe(false);
    expect(isCutShort({ ...end, tokens: 255 })).toBe(false);
    expect(isCutShort({ ...end, tokens: undefined })).toBe(false);
    expect(isCutShort({ ...end, text: '' })).toBe(false);
    expect(isCutShort({ ...end, reason: 'max_tokens', text: 'It was.' })).toBe(true);
  });
});

describe('the text before a continuation', () => {
  it('loses a word that may be incomplete, but no Chinese text', () => {
    expect(continuationBase('Once upon a ti')).toBe('Once upon a ');
    expect(continuationBase('Once.')).toBe('Once.');
    expect(continuationBase('Once')).toBe('Once');
    expect(continuationBase('从前 有一座山')).toBe('从前 有一座山');
    expect(continuationBase('- one\n- tw')).toBe('- one\n- ');
  });

  it('ends in one space before a word, except in Chinese', () => {
    expect(textBeforeContinuation('It was.', 'Then')).toBe('It was. ');
    expect(textBeforeContinuation('It ', ' was')).toBe('It');
    expect(textBeforeContinuation('一座山，', '山上')).toBe('一座山，');
    expect(textBeforeContinuation('It was.', '山上')).toBe('It was.');
    expect(textBeforeContinuation('(', 'so')).toBe('(');
    expect(textBeforeContinuation('One.\n', 'Two')).toBe('One.\n');
  });
});
