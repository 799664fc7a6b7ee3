import { describe, expect, it } from 'vitest';
import { idOf, turnsOf } from './emitted-turns.ts';
import { delta, legacyListen, listen, sound, text } from './server-events.ts';
import { Scene } from './session-scene.ts';

describe('an interruption', () => {
  it('is sent at once with the partial chunk', () => {
    const scene = new Scene().live();
    scene.session.pushAudio(new Float32Array(6000).fill(1));
    scene.session.interrupt();
    expect(scene.appends).toHaveLength(1);
    expect(scene.appends[0]).toMatchObject({ forceListen: true });
    expect(scene.appends[0]?.audio).toEqual(new Float32Array(6000).fill(1));
  });

  it('pads a short chunk with silence', () => {
    const scene = new Scene().live();
    scene.session.pushAudio(new Float32Array(100).fill(1));
    scene.session.interrupt();
    const audio = scene.appends[0]?.audio;
    expect(audio).toHaveLength(4000);
    expect(audio?.reduce((sum, sample) => sum + sample, 0)).toBe(100);
  });

  it('is repeated until the model listens', () => {
    const scene = new Scene().live().speak(1).say(delta('a', false));
    scene.session.interrupt();
    scene.speak(2).say(delta('b', false), delta('c', false), legacyListen).speak(1);
    expect(scene.appends.map(({ forceListen }) => forceListen ?? false)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(turnsOf(scene)).toEqual(['text 1 a', 'audio 1', 'yields']);
  });

  it('does not pile up when repeated', () => {
    const scene = new Scene().live();
    for (let time = 0; time < 10; time += 1) scene.session.interrupt();
    expect(scene.appends).toHaveLength(1);
  });

  it('exceeds the cap, with the oldest waiting sound', () => {
    const scene = new Scene().live();
    for (let second = 0; second < 5; second += 1)
      scene.session.pushAudio(new Float32Array(16_000).fill(second));
    scene.session.interrupt();
    expect(scene.appends).toHaveLength(4);
    expect(scene.appends[3]).toMatchObject({ forceListen: true });
    expect(scene.appends[3]?.audio[0]).toBe(3);
  });

  it('discards output in flight until the model listened', () => {
    const scene = new Scene().live().speak(1).say(delta('a', false));
    scene.session.interrupt();
    scene.say(delta('b', true)).speak(1).say(legacyListen);
    expect(turnsOf(scene)).toEqual(['text 1 a', 'audio 1', 'yields']);
    expect(turnsOf(scene.speak(1).say(delta('c', false))).slice(-2)).toEqual([
      'text 2 c',
      'audio 2',
    ]);
  });

  it('distinguishes a unified yield from an end', () => {
    const scene = new Scene().live().speak(1).say(sound());
    scene.session.interrupt();
    expect(turnsOf(scene.speak(1).say(listen()))).toEqual(['audio 1', 'yields']);
    scene.speak(1).say(sound()).speak(1).say(listen());
    expect(turnsOf(scene).slice(-3)).toEqual(['audio 2', 'ended 2', 'listens']);
  });

  it.each([
    [4, 'yields'],
    [6, 'listens'],
  ])(
    'an interruption between two turns explains a listen %s seconds later: %s',
    (seconds, outcome) => {
      const scene = new Scene().live();
      scene.session.interrupt();
      scene.say(listen()).speak(1).say(sound());
      expect(
        turnsOf(
          scene
            .wait((seconds - 2) * 1000)
            .speak(1)
            .say(listen()),
        ).at(-1),
      ).toBe(outcome);
    },
  );

  it('stops the sound of a turn that the model ends meanwhile', () => {
    const scene = new Scene().live().speak(1);
    const id = idOf(scene);
    scene.say(sound(id));
    scene.session.interrupt();
    expect(turnsOf(scene.say(listen(id)))).toEqual(['audio 1', 'yields']);
  });

  it('does not end with a listen to an earlier append', () => {
    const scene = new Scene().live().speak(1);
    const before = idOf(scene);
    scene.session.interrupt();
    const forced = idOf(scene);
    scene.say(listen(before), sound(forced)).speak(1);
    expect(scene.appends.at(-1)?.forceListen).toBe(true);
    expect(turnsOf(scene)).toEqual(['listens']);
    scene.say(listen(idOf(scene))).speak(1);
    expect(scene.appends.at(-1)?.forceListen).toBeUndefined();
  });

  it.each([
    ['legacy', [legacyListen, delta('b', false)]],
    ['unified without echo', [listen(), text('b'), sound()]],
  ])('discards output after a listen to an earlier append: %s', (_, late) => {
    const scene = new Scene().live().speak(2);
    scene.session.interrupt();
    const closes =
      late[0]?.kind === 'listen' && late[0].wire === 'legacy' ? legacyListen : listen();
    scene.say(...late);
    expect(turnsOf(scene)).toEqual(['listens']);
    scene.speak(1).say(closes).speak(1);
    expect(scene.appends.at(-1)?.forceListen).toBeUndefined();
    expect(turnsOf(scene.say(delta('c', false))).slice(-2)).toEqual(['text 1 c', 'audio 1']);
  });
});
