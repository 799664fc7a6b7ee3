import { describe, expect, it } from 'vitest';
import { SpeechCache } from '../../../../electron/chat/answer-player.ts';
import { text } from '../talk/session/server-events.ts';
import { ChatSessionStage, done, words } from './chat-session-stage.ts';

const second = () => new Float32Array(24_000).fill(0.5);
const spoken = (): ReturnType<typeof text> => ({
  kind: 'output',
  wire: 'unified',
  audio: second(),
});
const ten = 'one two three four five six seven eight nine ten';

function askForSpeech(): ChatSessionStage {
  const stage = new ChatSessionStage({ speech: true });
  stage.chat.send(words('Count'));
  return stage.live();
}

function pass(stage: ChatSessionStage, milliseconds: number): void {
  for (let at = 0; at < milliseconds; at += 20) stage.clock.advance(20);
}

describe('the speech of an answer', () => {
  it('is heard with captions that follow the samples', () => {
    const stage = askForSpeech();
    stage.say(text(ten), spoken(), spoken(), done(ten));
    pass(stage, 1000);
    const half = stage.patchesOf('caption').at(-1);
    expect(half).toMatchObject({ turn: stage.answer.id, playing: true });
    expect(ten.slice(0, half?.heard)).toMatch(/^one two three four (?:five|five six)$/u);
    pass(stage, 1200);
    expect(stage.patchesOf('caption').at(-1)).toMatchObject({ heard: ten.length, playing: false });
    expect(stage.heardSamples).toBe(48_000);
    expect(stage.answer.speechSeconds).toBe(2);
    const heard = stage.patchesOf('caption').map((patch) => patch.heard);
    expect(heard.length).toBeLessThan(15);
    expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  });

  it('is heard once if a server without streaming sends it twice', () => {
    const stage = new ChatSessionStage({ speech: true, streaming: false });
    stage.chat.send(words('Count'));
    stage.live().say(spoken(), done(ten, second()));
    pass(stage, 3000);
    expect(stage.heardSamples).toBe(24_000);
    expect(stage.answer.speechSeconds).toBe(1);
    expect(stage.patchesOf('caption').at(-1)).toMatchObject({ heard: ten.length, playing: false });
  });

  it('can be heard again, and silenced', () => {
    const stage = askForSpeech();
    stage.say(text(ten), spoken(), done(ten));
    pass(stage, 1500);
    const { id } = stage.answer;
    expect(stage.chat.play(id)).toEqual({ ok: true });
    pass(stage, 500);
    stage.chat.silence();
    expect(stage.patchesOf('caption').at(-1)).toMatchObject({ turn: id, playing: false });
    expect(stage.patchesOf('caption').at(-1)?.heard).toBeLessThan(ten.length);
    pass(stage, 2000);
    expect(stage.heardSamples).toBeGreaterThan(24_000);
    expect(stage.heardSamples).toBeLessThan(24_000 * 1.6);
    stage.chat.play(id);
    pass(stage, 1500);
    expect(stage.patchesOf('caption').at(-1)).toMatchObject({ heard: ten.length, playing: false });
  });

  it('ends when the answer is stopped', () => {
    const stage = askForSpeech();
    stage.say(text(ten), spoken(), spoken());
    pass(stage, 500);
    stage.chat.stop();
    expect(stage.playback.queued).toBe(0);
    pass(stage, 3000);
    expect(stage.heardSamples).toBeLessThan(24_000 * 0.6);
    expect(stage.answer.state).toEqual({ kind: 'stopped' });
  });

  it('ends when the next question is asked', () => {
    const stage = askForSpeech();
    stage.say(text(ten), spoken(), spoken(), done(ten));
    pass(stage, 500);
    stage.exchange('Again', 'x');
    pass(stage, 3000);
    expect(stage.heardSamples).toBeLessThan(24_000 * 0.6);
  });

  it('cannot be played without speech', () => {
    const stage = new ChatSessionStage().exchange('Hello', 'Hi.');
    expect(stage.chat.play(stage.answer.id)).toMatchObject({ ok: false });
    expect(stage.chat.play('none')).toMatchObject({ ok: false });
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
