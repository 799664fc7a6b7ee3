import { describe, expect, it } from 'vitest';
import { idOf, turnsOf } from './emitted-turns.ts';
import { legacyListen, listen, sound, text } from './server-events.ts';
import { chat, Scene } from './session-scene.ts';

describe('a server that owes answers', () => {
  it('gets a new timeout with each event, while it owes an answer', () => {
    const scene = new Scene().live().speak(2).wait(50_000).say(legacyListen);
    expect(scene.wait(59_999).session.phase).toBe('live');
    expect(scene.wait(1).session.phase).toBe('closing');
  });

  it('has no timeout after it has given all answers', () => {
    const scene = new Scene().live().speak(2).say(legacyListen, legacyListen);
    expect(scene.wait(3_600_000).session.phase).toBe('live');
  });

  it('does not begin a written answer with an unknown event', () => {
    const scene = chat().live();
    scene.session.ask({ messages: [{ role: 'user', content: 'Hi' }] });
    scene.wait(10_000).say({ kind: 'unknown', type: 'server.note', raw: {} });
    expect(scene.wait(179_999).session.phase).toBe('live');
    expect(scene.wait(1).session.phase).toBe('closing');
  });
});

it('an output without text answers its append, and the turn continues', () => {
  const scene = new Scene().live();
  for (const words of ['one', '', '', '', 'two']) {
    scene.speak(1);
    scene.say(text(words, idOf(scene)));
  }
  // Three appends may be unanswered, so all five were answered.
  expect(scene.appends).toHaveLength(5);
  expect(scene.emittedOf('dropped')).toEqual([]);
  expect(turnsOf(scene)).toEqual(['text 1 one', 'text 1 two']);
  // No timeout runs, because nothing is owed.
  expect(scene.wait(3_600_000).session.phase).toBe('live');
});

it('a pause reports the sound that it drops', () => {
  const scene = new Scene().live().speak(1).say(listen()).speak(5);
  expect(scene.appends).toHaveLength(4);
  scene.session.pause();
  expect(scene.emittedOf('dropped').map(({ samples }) => samples)).toEqual([32_000]);
});

describe('appends to a server that floods the client', () => {
  /** Alternates events of sound with seconds of microphone sound, as fast as possible. */
  const pour = (count: number, times: number): Scene => {
    const scene = new Scene().live().speak(1).say(text('Hello'));
    for (let time = 0; time < times; time += 1) {
      scene.say(...Array.from({ length: count }, () => sound(undefined, 1)));
      scene.session.pushAudio(new Float32Array(16_000));
    }
    return scene;
  };

  it('are not held back, because their answers are queued behind the flood', () => {
    const scene = pour(500, 8);
    expect(scene.appends).toHaveLength(9);
    expect(scene.emittedOf('dropped')).toEqual([]);
  });

  it('are held back beside an answer of ordinary length', () => {
    expect(pour(5, 8).appends).toHaveLength(4);
  });

  it.each([250, 1000])(
    'are held back after 12 s without an answer to any, in chunks of %d ms',
    (ms) => {
      const scene = new Scene({ chunkMs: ms }).live().speak(1);
      const [first] = scene.appends;
      // A server that echoes ids, so appends are not given up early.
      scene.say(listen(first?.inputId));
      const before = scene.appends.length;
      for (let time = 0; time < 20_000 / ms; time += 1) {
        scene.session.pushAudio(new Float32Array(16 * ms));
        scene.wait(ms).say(...Array.from({ length: 500 }, () => sound(first?.inputId, 1)));
      }
      expect(scene.appends.length - before).toBe(12_000 / ms);
      expect(scene.emittedOf('dropped').length).toBeGreaterThan(0);
    },
  );
});
