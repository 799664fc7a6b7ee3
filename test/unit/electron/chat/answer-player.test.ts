import { describe, expect, it } from 'vitest';
import { SpeechCache } from '../../../../electron/chat/answer-player.ts';
import { text } from '../talk/session/server-events.ts';
import { ChatSessionHarness, done, words } from './chat-session-harness.ts';

const second = () => new Float32Array(24_000).fill(0.5);
const spoken = (): ReturnType<typeof text> => ({
  kind: 'output',
  wire: 'unified',
  audio: second(),
});
const ten = 'one two three four five six seven eight nine ten';

function askForSpeech(): ChatSessionHarness {
  const harness = new ChatSessionHarness({ speech: true });
  harness.chat.send(words('Count'));
  return harness.live();
}

function pass(harness: ChatSessionHarness, milliseconds: number): void {
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

  it('is heard once if a server without streaming sends it twice', () => {
    const harness = new ChatSessionHarness({ speech: true, streaming: false });
    harness.chat.send(words('Count'));
    harness.live().say(spoken(), done(ten, second()));
    pass(harness, 3000);
    expect(harness.heardSamples).toBe(24_000);
    expect(harness.answer.speechSeconds).toBe(1);
    expect(harness.patchesOf('caption').at(-1)).toMatchObject({
      heard: ten.length,
      playing: false,
    });
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

  it('cannot be played without speech', () => {
    const harness = new ChatSessionHarness().exchange('Hello', 'Hi.');
    expect(harness.chat.play(harness.answer.id)).toMatchObject({ ok: false });
    expect(harness.chat.play('none')).toMatchObject({ ok: false });
  });
});

describe('the speech cache', () => {
  it('evicts the oldest turn when it is full, and does not cache one that is too long', () => {
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
  });
});
