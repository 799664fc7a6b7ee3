import { describe, expect, it } from 'vitest';
import {
  continuationBase,
  textBeforeContinuation,
  isCutShort,
} from '../../../../electron/chat/answer-stream.ts';
import { error, sound, text } from '../talk/session/server-events.ts';
import { ChatSessionStage, done, pageOf, words } from './chat-session-stage.ts';

const continuePrompt = () => 'Go on.';
const second = () => ({ ...sound(), audio: new Float32Array(24_000).fill(0.1) });
const cut = (text: string) => ({ ...done(text), reason: 'length' });

/** An answer that was cut in the middle of a word. */
function cutStage(): ChatSessionStage {
  const stage = new ChatSessionStage({}, { continuePrompt });
  stage.chat.send(words('Tell'));
  stage.live().say(text('Once upon'), cut('Once upon a ti'));
  return stage;
}

describe('continuing an answer', () => {
  it('asks for the rest, and appends it to the text', () => {
    const stage = cutStage();
    const begin = stage.chat.conversation;
    stage.patches.splice(0);
    expect(stage.chat.continueAnswer(stage.answer.id)).toEqual({ ok: true });
    expect(stage.answer).toMatchObject({ text: 'Once upon a ti', state: { kind: 'streaming' } });
    expect(stage.questions.at(-1)?.messages).toEqual([
      { role: 'user', content: 'Tell' },
      { role: 'assistant', content: 'Once upon a ' },
      { role: 'user', content: 'Go on.' },
    ]);
    stage.say(text('time there'), text(' was'), done('time there was.'));
    expect(stage.answer).toMatchObject({
      text: 'Once upon a time there was.',
      state: { kind: 'done', cutShort: false },
    });
    expect(stage.turns).toHaveLength(2);
    expect(pageOf(begin, stage.patches).turns).toEqual(stage.chat.conversation.turns);
    expect(stage.saved.at(-1)?.turns).toEqual(stage.turns);
  });

  it('may be cut and continued again, and the next question has all of it as one answer', () => {
    const stage = cutStage();
    stage.chat.continueAnswer(stage.answer.id);
    stage.say(cut('time the'));
    expect(stage.answer).toMatchObject({ text: 'Once upon a time the', state: { cutShort: true } });
    stage.chat.continueAnswer(stage.answer.id);
    stage.say(done('there was.'));
    stage.chat.send(words('Who?'));
    expect(stage.questions.at(-1)?.messages).toEqual([
      { role: 'user', content: 'Tell' },
      { role: 'assistant', content: 'Once upon a time there was.' },
      { role: 'user', content: 'Who?' },
    ]);
  });

  it('works after a stop, and loses no text if the rest fails', () => {
    const stage = new ChatSessionStage({}, { continuePrompt });
    stage.chat.send(words('Tell'));
    stage.live().say(text('Once upon'));
    stage.chat.stop();
    stage.chat.continueAnswer(stage.answer.id);
    stage.live().say(error('inference_error'));
    expect(stage.answer).toMatchObject({ text: 'Once upon', state: { kind: 'failed' } });
    stage.chat.continueAnswer(stage.answer.id);
    stage.say(done('upon a time.'));
    expect(stage.answer.text).toBe('Once upon a time.');
  });

  it('adds its speech to the cached speech and marks the right words as heard', () => {
    const stage = new ChatSessionStage({ speech: true }, { continuePrompt });
    stage.chat.send(words('Tell'));
    stage.live().say(second(), cut('Once upon a ti'));
    stage.clock.advance(5000);
    stage.chat.continueAnswer(stage.answer.id);
    stage.say(text('time.'), second(), done('time.'));
    stage.clock.advance(5000);
    expect(stage.answer.speechSeconds).toBe(2);
    expect(stage.patchesOf('caption').at(-1)?.heard).toBe('Once upon a time.'.length);
  });

  it('is refused for all but the newest answer, and during an answer', () => {
    const stage = cutStage();
    const { id } = stage.answer;
    stage.chat.continueAnswer(id);
    expect(stage.chat.continueAnswer(id)).toMatchObject({
      ok: false,
      error: { code: 'answerComing' },
    });
    stage.say(done('time.'));
    stage.exchange('And?', 'Nothing.');
    expect(stage.chat.continueAnswer(id)).toMatchObject({
      ok: false,
      error: { code: 'messageGone' },
    });
  });
});

describe('an answer that reached its token limit', () => {
  const tokenStats = (n_tokens: number) => ({ metrics: { values: { n_tokens } } });

  it('is detected by its token count if the reason does not tell', () => {
    const stage = new ChatSessionStage({ maxNewTokens: 64 });
    stage.chat.send(words('Tell'));
    stage.live().say({ ...done('Once upon a'), ...tokenStats(64) });
    expect(stage.answer.state).toEqual({ kind: 'done', cutShort: true });
    stage.chat.send(words('Again'));
    stage.say({ ...done('Once upon a'), ...tokenStats(63) });
    expect(stage.answer.state).toEqual({ kind: 'done', cutShort: false });
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
