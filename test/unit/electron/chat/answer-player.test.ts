import { describe, expect, it } from 'vitest';
import { SpeechCache } from '../../../../electron/chat/answer-player.ts';
import { sound, text, error } from '../talk/session/session-harness.ts';
import { OpenThreadHarness, done, words, pageOf } from './open-thread-harness.ts';
import {
  continuationBase,
  textBeforeContinuation,
  isCutShort,
} from '../../../../electron/chat/answer-stream.ts';
import { ChatPace, ChatSessions } from '../../../../electron/chat/chat-opener.ts';
import { ServerPaces } from '../../../../electron/settings/servers/server-facts.ts';
import { fakeServerFacts } from '../../../fakes/fake-server-facts.ts';
import { PlaybackHarness } from '../audio/playback/playback-harness.ts';

const spoken = () => ({ ...sound(), audio: new Float32Array(24_000).fill(0.1) });
const ten = 'one two three four five six seven eight nine ten';

function askForSpeech(): OpenThreadHarness {
  const harness = new OpenThreadHarness({ speech: true });
  harness.chat.send(words('Count'));
  return harness.live();
}

function pass(harness: OpenThreadHarness, milliseconds: number): void {
  for (let at = 0; at < milliseconds; at += 20) harness.clock.advance(20);
}

describe('the speech of an answer', () => {
  it('is heard with captions that follow the samples', () => {
    const harness = askForSpeech();
    harness.say(text(ten), spoken(), spoken(), done(ten));
    pass(harness, 1000);
    const half = harness.patchesOf('caption').at(-1);
    expect(half).toMatchObject({ turn: harness.answer.id, playing: true });
    expect(ten.slice(0, half?.heard)).toMatch(/^one two three four (?:five|five six)$/u);
    pass(harness, 1200);
    expect(harness.patchesOf('caption').at(-1)).toMatchObject({
      heard: ten.length,
      playing: false,
    });
    expect(harness.heardSamples).toBe(48_000);
    expect(harness.answer.speechSeconds).toBe(2);
    const heard = harness.patchesOf('caption').map((patch) => patch.heard);
    expect(heard.length).toBeLessThan(15);
    expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  });

  it('can be heard again, and silenced', () => {
    const harness = askForSpeech();
    harness.say(text(ten), spoken(), done(ten));
    pass(harness, 1500);
    const { id } = harness.answer;
    expect(harness.chat.play(id)).toEqual({ ok: true });
    pass(harness, 500);
    harness.chat.silence();
    expect(harness.patchesOf('caption').at(-1)).toMatchObject({ turn: id, playing: false });
    expect(harness.patchesOf('caption').at(-1)?.heard).toBeLessThan(ten.length);
    pass(harness, 2000);
    expect(harness.heardSamples).toBeGreaterThan(24_000);
    expect(harness.heardSamples).toBeLessThan(24_000 * 1.6);
    harness.chat.play(id);
    pass(harness, 1500);
    expect(harness.patchesOf('caption').at(-1)).toMatchObject({
      heard: ten.length,
      playing: false,
    });
  });

  it('is not mixed with the speech of an earlier answer that the user plays meanwhile', () => {
    const harness = askForSpeech();
    harness.say(text(ten), spoken(), done(ten));
    pass(harness, 1500);
    const { id } = harness.answer;
    harness.chat.send(words('Again'));
    harness.say(text('A new answer'), spoken());
    harness.chat.play(id);
    harness.heardSamples = 0;
    harness.say(text(' with a second part'), spoken(), spoken(), done('A new answer'));
    pass(harness, 4000);
    expect(harness.heardSamples).toBe(24_000);
    expect(harness.patchesOf('caption').at(-1)).toMatchObject({
      turn: id,
      heard: ten.length,
      playing: false,
    });
  });

  it('ends when the answer is stopped', () => {
    const harness = askForSpeech();
    harness.say(text(ten), spoken(), spoken());
    pass(harness, 500);
    harness.chat.stop();
    expect(harness.playback.queued).toBe(0);
    pass(harness, 3000);
    expect(harness.heardSamples).toBeLessThan(24_000 * 0.6);
    expect(harness.answer.state).toEqual({ kind: 'stopped' });
  });

  it('ends when the next question is asked', () => {
    const harness = askForSpeech();
    harness.say(text(ten), spoken(), spoken(), done(ten));
    pass(harness, 500);
    harness.exchange('Again', 'x');
    pass(harness, 3000);
    expect(harness.heardSamples).toBeLessThan(24_000 * 0.6);
  });
});

describe('the speech cache', () => {
  it('evicts the oldest turn when it is full, and does not cache a turn that is too long', () => {
    const gone: string[] = [];
    const cache = new SpeechCache(10, (turn) => gone.push(turn));
    cache.add('a', new Float32Array(6));
    cache.add('b', new Float32Array(4));
    expect(gone).toEqual([]);
    expect(cache.add('b', new Float32Array(3))).toBe(7);
    expect(gone).toEqual(['a']);
    expect(cache.pieces('a')).toEqual([]);
    expect(cache.add('c', new Float32Array(11))).toBe(0);
    expect(gone).toEqual(['a', 'b', 'c']);
    // Later pieces alone would be heard as the whole speech.
    expect(cache.add('c', new Float32Array(2))).toBe(0);
    expect(cache.pieces('c')).toEqual([]);
  });
});

const continuePrompt = () => 'Go on.';
const cut = (text: string) => ({ ...done(text), reason: 'length' });

/** An answer that was cut in the middle of a word. */
function cutAnswerHarness(): OpenThreadHarness {
  const harness = new OpenThreadHarness({}, { continuePrompt });
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

  it('works after a stop, and loses no text if the rest fails', () => {
    const harness = new OpenThreadHarness({}, { continuePrompt });
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
    const harness = new OpenThreadHarness({ speech: true }, { continuePrompt });
    harness.chat.send(words('Tell'));
    harness.live().say(spoken(), cut('Once upon a ti'));
    harness.clock.advance(5000);
    harness.chat.continueAnswer(harness.answer.id);
    harness.say(text('time.'), spoken(), done('time.'));
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

  it('is detected by its token count if the reason does not name the limit', () => {
    const harness = new OpenThreadHarness({ maxNewTokens: 64 });
    harness.chat.send(words('Tell'));
    harness.live().say({ ...done('Once upon a'), ...tokenStats(64) });
    expect(harness.answer.state).toEqual({ kind: 'done', cutShort: true });
    harness.chat.send(words('Again'));
    harness.say({ ...done('Once upon a'), ...tokenStats(63) });
    expect(harness.answer.state).toEqual({ kind: 'done', cutShort: false });
  });

  it('is not assumed for a whole sentence of the same length, or without a token count', () => {
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
    const call = { id: 'c', callName: 'now', tool: 'now', server: '', args: '{}', response: '' };
    const calls = [{ ...call, at: 11, state: 'stopped', isRisky: false }] as const;
    expect(continuationBase('Let me look', calls)).toBe('Let me look');
    expect(continuationBase('Let me look\n\nIt is no', calls)).toBe('Let me look\n\nIt is ');
  });

  it('ends in one space before a word, but not around Chinese', () => {
    expect(textBeforeContinuation('It was.', 'Then')).toBe('It was. ');
    expect(textBeforeContinuation('It ', ' was')).toBe('It');
    expect(textBeforeContinuation('一座山，', '山上')).toBe('一座山，');
    expect(textBeforeContinuation('It was.', '山上')).toBe('It was.');
    expect(textBeforeContinuation('(', 'so')).toBe('(');
    expect(textBeforeContinuation('One.\n', 'Two')).toBe('One.\n');
  });
});

const slow = { id: 'slow', address: 'wss://slow.example/' };
const quick = { id: 'quick', address: 'wss://quick.example/' };

/** Plays an answer of four steps that arrive at this interval, in milliseconds. */
function answerAt(harness: PlaybackHarness, intervalMs: number, turn: number): void {
  const steps = [0, 1, 2, 3].map((n) => ({ at: n * intervalMs, ms: 1000 }));
  harness.turn(turn, steps);
  harness.pass(4000);
}

it('a chat learns the pace of each server separately, and uses it again with the same server', () => {
  const harness = new PlaybackHarness();
  const paces = new ServerPaces(fakeServerFacts());
  const pace = new ChatPace(paces, harness.playback);
  const endSlow = pace.useServer(slow);
  answerAt(harness, 1300, 1);
  const learned = harness.playback.pace();
  expect(learned.maxMs).toBeGreaterThan(1000);
  // The user chooses this server while the session with the other is still open.
  const endQuick = pace.useServer(quick);
  endSlow();
  expect(harness.playback.pace().maxMs).toBe(0);
  answerAt(harness, 1000, 2);
  endQuick();
  expect(paces.recall(slow)).toEqual(learned);
  expect(paces.recall(quick)?.maxMs).toBeLessThan(learned.maxMs);
  pace.useServer(slow);
  expect(harness.playback.pace()).toEqual(learned);
});

it('a session of the small window ends if a talk needs the model: at once between answers, and otherwise after the answer', () => {
  const ended: number[] = [];
  const emits: Parameters<ChatSessions['openShared']>[0][] = [];
  const sessions = new ChatSessions((emit) => {
    const number = emits.push(emit);
    return { phase: 'live', ask: () => undefined, end: () => void ended.push(number) };
  });
  const question = { messages: [] };
  const [first, second, third] = [1, 2, 3].map(() => sessions.openShared(() => undefined));
  first?.ask(question);
  third?.ask(question);
  emits[2]?.({ event: 'done', text: '', reason: 'turn_end' });
  // `false`: Chat is not answering.
  sessions.release(false);
  expect(second?.phase).toBe('live');
  expect(ended).toEqual([2, 3]);
  emits[0]?.({ event: 'text', turn: 1, text: 'Hello' });
  sessions.answerEnded();
  expect(ended).toEqual([2, 3]);
  emits[0]?.({ event: 'done', text: 'Hello', reason: 'turn_end' });
  expect(ended).toEqual([2, 3, 1]);
});
