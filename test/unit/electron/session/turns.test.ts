import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../../electron/session/session-event.ts';
import { delta, legacyListen, listen, sound, text } from './events.ts';
import { Scene } from './scene.ts';

/** What was told of the turns, in short. */
function turnsOf(scene: Scene): readonly string[] {
  return scene.told.flatMap(describeTurn);
}

function describeTurn(event: SessionEvent): readonly string[] {
  if (event.event === 'text') return [`text ${event.turn} ${event.text}`];
  if (event.event === 'audio') return [`audio ${event.turn}`];
  if (event.event === 'turnEnded') return [`ended ${event.turn}`];
  if (event.event === 'listen') return [event.yields ? 'yields' : 'listens'];
  return [];
}

function idOf(scene: Scene): string {
  return scene.appends.at(-1)?.inputId ?? '';
}

/** One turn that a listen closes in the step of its last sound, with or without echo. */
function speakTurn(scene: Scene, echo: boolean): void {
  scene.speak(1);
  const id = echo ? idOf(scene) : undefined;
  scene.say(text('a', id), sound(id), listen(id));
}

describe('legacy turns', () => {
  it('end with end_of_turn, and the next is another', () => {
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

  it('are cut by a listen without it', () => {
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

  it('are cut by a later listen on a server that closes them in the step', () => {
    const scene = new Scene().live();
    speakTurn(scene, echo);
    scene.speak(1).say(text('b', echo ? idOf(scene) : undefined));
    scene.say(sound(echo ? idOf(scene) : undefined));
    scene.speak(1).say(listen(echo ? idOf(scene) : undefined));
    expect(turnsOf(scene).slice(-3)).toEqual(['text 2 b', 'audio 2', 'yields']);
  });

  it('end with a later listen on a server that has not shown to do so', () => {
    const scene = new Scene().live().speak(1);
    scene.say(sound(echo ? idOf(scene) : undefined)).speak(1);
    scene.say(listen(echo ? idOf(scene) : undefined));
    expect(turnsOf(scene)).toEqual(['audio 1', 'ended 1', 'listens']);
  });
});

describe("the person's own voice", () => {
  const voice = (): Float32Array => new Float32Array(16_000).fill(0.2);
  const talking = (): Scene => {
    const scene = new Scene().live().speak(1);
    scene.say(sound(idOf(scene)));
    return scene;
  };

  it('cuts the turn it talks over, where nothing else tells', () => {
    const scene = talking().wait(1000);
    scene.session.hear(voice());
    expect(turnsOf(scene.say(listen(idOf(scene)))).at(-1)).toBe('yields');
  });

  it('does not when it spoke before the turn, or too long ago', () => {
    const before = new Scene().live().wait(1000);
    before.session.hear(voice());
    before.say(sound(idOf(before))).speak(1);
    expect(turnsOf(before.say(listen(idOf(before)))).at(-1)).toBe('listens');
    const longAgo = talking().wait(1000);
    longAgo.session.hear(voice());
    longAgo
      .say(sound(idOf(longAgo)))
      .speak(1)
      .say(sound(idOf(longAgo)))
      .speak(2);
    expect(turnsOf(longAgo.say(listen(idOf(longAgo)))).at(-1)).toBe('listens');
  });

  it('is no click and no quiet room', () => {
    const scene = talking().wait(1000);
    const noise = new Float32Array(16_000).fill(0.005);
    noise.fill(1, 100, 500);
    scene.session.hear(noise);
    expect(turnsOf(scene.say(listen(idOf(scene)))).at(-1)).toBe('listens');
  });
});

describe('the habit of closing a turn in its step', () => {
  it('shows when no append is left that the listen could answer', () => {
    const scene = new Scene().live().speak(1).say(sound()).wait(500).say(listen());
    scene.speak(1).say(sound()).speak(1).say(listen());
    expect(turnsOf(scene).at(-1)).toBe('yields');
  });

  it('does not show in a step without sound', () => {
    const scene = new Scene().live().speak(1);
    scene.say(text('a', idOf(scene)), listen(idOf(scene))).speak(1);
    scene.say(sound(idOf(scene))).speak(1);
    expect(turnsOf(scene.say(listen(idOf(scene)))).slice(-2)).toEqual(['ended 2', 'listens']);
  });
});

describe('an interruption', () => {
  it('goes out at once with what is gathered', () => {
    const scene = new Scene().live();
    scene.session.hear(new Float32Array(6000).fill(1));
    scene.session.interrupt();
    expect(scene.appends).toHaveLength(1);
    expect(scene.appends[0]).toMatchObject({ forceListen: true });
    expect(scene.appends[0]?.audio).toEqual(new Float32Array(6000).fill(1));
  });

  it('fills up with silence what is too short', () => {
    const scene = new Scene().live();
    scene.session.hear(new Float32Array(100).fill(1));
    scene.session.interrupt();
    const audio = scene.appends[0]?.audio;
    expect(audio).toHaveLength(4000);
    expect(audio?.reduce((sum, sample) => sum + sample, 0)).toBe(100);
  });

  it('is repeated until the model listens, and then no more', () => {
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

  it('does not pile up when it is asked for again and again', () => {
    const scene = new Scene().live();
    for (let time = 0; time < 10; time += 1) scene.session.interrupt();
    expect(scene.appends).toHaveLength(1);
  });

  it('passes over the cap, with the oldest sound that waits', () => {
    const scene = new Scene().live();
    for (let second = 0; second < 5; second += 1)
      scene.session.hear(new Float32Array(16_000).fill(second));
    scene.session.interrupt();
    expect(scene.appends).toHaveLength(4);
    expect(scene.appends[3]).toMatchObject({ forceListen: true });
    expect(scene.appends[3]?.audio[0]).toBe(3);
  });

  it('discards what is in flight until the model listened', () => {
    const scene = new Scene().live().speak(1).say(delta('a', false));
    scene.session.interrupt();
    scene.say(delta('b', true)).speak(1).say(legacyListen);
    expect(turnsOf(scene)).toEqual(['text 1 a', 'audio 1', 'yields']);
    expect(turnsOf(scene.speak(1).say(delta('c', false))).slice(-2)).toEqual([
      'text 2 c',
      'audio 2',
    ]);
  });

  it('tells a unified yield from an end', () => {
    const scene = new Scene().live().speak(1).say(sound());
    scene.session.interrupt();
    expect(turnsOf(scene.speak(1).say(listen()))).toEqual(['audio 1', 'yields']);
    scene.speak(1).say(sound()).speak(1).say(listen());
    expect(turnsOf(scene).slice(-3)).toEqual(['audio 2', 'ended 2', 'listens']);
  });

  it.each([
    [4, 'yields'],
    [6, 'listens'],
  ])('that came between two turns explains a listen %s seconds later: %s', (seconds, told) => {
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
    ).toBe(told);
  });

  it('stops the sound of a turn that the model itself ends meanwhile', () => {
    const scene = new Scene().live().speak(1);
    const id = idOf(scene);
    scene.say(sound(id));
    scene.session.interrupt();
    expect(turnsOf(scene.say(listen(id)))).toEqual(['audio 1', 'yields']);
  });

  it('is not over with a listen to an append from before it', () => {
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
});
