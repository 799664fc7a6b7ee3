import { describe, expect, it } from 'vitest';
import { idOf, turnsOf } from './emitted-turns.ts';
import { delta, legacyListen, listen, sound, text } from './server-events.ts';
import { Scene } from './session-scene.ts';

function speakTurn(scene: Scene, echo: boolean): void {
  scene.speak(1);
  const id = echo ? idOf(scene) : undefined;
  scene.say(text('a', id), sound(id), listen(id));
}

describe('legacy turns', () => {
  it('end with end_of_turn, and the next turn has another number', () => {
    const scene = new Scene().live().speak(1).say(delta('a', false)).speak(1);
    scene.say(delta('b', true)).speak(1).say(legacyListen).speak(1).say(delta('c', false));
    expect(turnsOf(scene)).toEqual([
      'text 1 a',
      'audio 1',
      'text 1 b',
      'audio 1',
      'ended 1',
      'listens',
      'text 2 c',
      'audio 2',
    ]);
  });

  it('are cut by a listen without end_of_turn', () => {
    const scene = new Scene().live().speak(1).say(delta('a', false)).speak(1).say(legacyListen);
    expect(turnsOf(scene)).toEqual(['text 1 a', 'audio 1', 'yields']);
    expect(turnsOf(scene.speak(1).say(delta('b', false))).at(-1)).toBe('audio 2');
  });
});

describe.each([
  ['with echo', true],
  ['without echo', false],
])('unified turns %s', (_, echo) => {
  it('end with a listen in the step of the last sound', () => {
    const scene = new Scene().live();
    speakTurn(scene, echo);
    speakTurn(scene, echo);
    expect(turnsOf(scene)).toEqual([
      'text 1 a',
      'audio 1',
      'ended 1',
      'listens',
      'text 2 a',
      'audio 2',
      'ended 2',
      'listens',
    ]);
  });

  it('are cut by a later listen if the server closes turns within the step', () => {
    const scene = new Scene().live();
    speakTurn(scene, echo);
    scene.speak(1).say(text('b', echo ? idOf(scene) : undefined));
    scene.say(sound(echo ? idOf(scene) : undefined));
    scene.speak(1).say(listen(echo ? idOf(scene) : undefined));
    expect(turnsOf(scene).slice(-3)).toEqual(['text 2 b', 'audio 2', 'yields']);
  });

  it('end with a later listen if the server has not closed a turn within the step', () => {
    const scene = new Scene().live().speak(1);
    scene.say(sound(echo ? idOf(scene) : undefined)).speak(1);
    scene.say(listen(echo ? idOf(scene) : undefined));
    expect(turnsOf(scene)).toEqual(['audio 1', 'ended 1', 'listens']);
  });
});

describe('the user’s voice', () => {
  const voice = (): Float32Array => new Float32Array(16_000).fill(0.2);
  const talking = (): Scene => {
    const scene = new Scene().live().speak(1);
    scene.say(sound(idOf(scene)));
    return scene;
  };

  it('cuts the turn it interrupts, if nothing else decides', () => {
    const scene = talking().wait(1000);
    scene.session.pushAudio(voice());
    expect(turnsOf(scene.say(listen(idOf(scene)))).at(-1)).toBe('yields');
  });

  it('does not cut if it was heard before the turn or too long ago', () => {
    const before = new Scene().live().wait(1000);
    before.session.pushAudio(voice());
    before.say(sound(idOf(before))).speak(1);
    expect(turnsOf(before.say(listen(idOf(before)))).at(-1)).toBe('listens');
    const longAgo = talking().wait(1000);
    longAgo.session.pushAudio(voice());
    longAgo
      .say(sound(idOf(longAgo)))
      .speak(1)
      .say(sound(idOf(longAgo)))
      .speak(2);
    expect(turnsOf(longAgo.say(listen(idOf(longAgo)))).at(-1)).toBe('listens');
  });

  it('is not confused with a click or a quiet room', () => {
    const scene = talking().wait(1000);
    const noise = new Float32Array(16_000).fill(0.005);
    noise.fill(1, 100, 500);
    scene.session.pushAudio(noise);
    expect(turnsOf(scene.say(listen(idOf(scene)))).at(-1)).toBe('listens');
  });
});

describe('an unusual server', () => {
  const overTurn = (yielding: 'always' | 'never', wire: 'unified' | 'legacy'): Scene => {
    const scene = new Scene({ yielding }).live().speak(1);
    scene.say(wire === 'legacy' ? delta('a', false) : sound()).wait(1000);
    // The user speaks, so any listen would otherwise be a yield.
    scene.session.pushAudio(new Float32Array(16_000).fill(0.2));
    return scene.say(wire === 'legacy' ? legacyListen : listen());
  };

  it.each(['unified', 'legacy'] as const)('can be silenced at every listen: %s', (wire) => {
    const scene = overTurn('always', wire);
    expect(turnsOf(scene).at(-1)).toBe('yields');
    expect(turnsOf(scene)).not.toContain('ended 1');
    scene.speak(1).say(wire === 'legacy' ? legacyListen : listen());
    expect(turnsOf(scene).at(-1)).toBe('yields');
  });

  it('can be silenced although the turn has ended', () => {
    const legacy = new Scene({ yielding: 'always' }).live().speak(1).say(delta('a', true));
    expect(turnsOf(legacy.speak(1).say(legacyListen)).slice(-2)).toEqual(['ended 1', 'yields']);
    const unified = new Scene({ yielding: 'always' }).live();
    speakTurn(unified, true);
    expect(turnsOf(unified).at(-1)).toBe('yields');
  });

  it.each(['unified', 'legacy'] as const)('can play to its end at every listen: %s', (wire) => {
    expect(turnsOf(overTurn('never', wire)).slice(-2)).toEqual(['ended 1', 'listens']);
  });

  it('is silenced by an interruption in any case', () => {
    const scene = new Scene({ yielding: 'never' }).live().speak(1).say(delta('a', false));
    scene.session.interrupt();
    expect(turnsOf(scene.say(legacyListen)).at(-1)).toBe('yields');
  });
});

describe('closing a turn within its step', () => {
  it('is detected if no append is left that the listen could answer', () => {
    const scene = new Scene().live().speak(1).say(sound()).wait(500).say(listen());
    scene.speak(1).say(sound()).speak(1).say(listen());
    expect(turnsOf(scene).at(-1)).toBe('yields');
  });

  it('is not detected in a step without sound', () => {
    const scene = new Scene().live().speak(1);
    scene.say(text('a', idOf(scene)), listen(idOf(scene))).speak(1);
    scene.say(sound(idOf(scene))).speak(1);
    expect(turnsOf(scene.say(listen(idOf(scene)))).slice(-2)).toEqual(['ended 2', 'listens']);
  });
});
