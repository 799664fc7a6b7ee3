import { describe, expect, it } from 'vitest';
import { idOf, turnsOf } from './session-harness.ts';
import { delta, legacyListen, listen, sound, text } from './server-events.ts';
import { SessionHarness } from './session-harness.ts';

function speakTurn(harness: SessionHarness, echo: boolean): void {
  harness.speak(1);
  const id = echo ? idOf(harness) : undefined;
  harness.say(text('a', id), sound(id), listen(id));
}

describe('legacy turns', () => {
  it('end with end_of_turn, and the next turn has another number', () => {
    const harness = new SessionHarness().live().speak(1).say(delta('a', false)).speak(1);
    harness.say(delta('b', true)).speak(1).say(legacyListen).speak(1).say(delta('c', false));
    expect(turnsOf(harness)).toEqual([
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
    const harness = new SessionHarness()
      .live()
      .speak(1)
      .say(delta('a', false))
      .speak(1)
      .say(legacyListen);
    expect(turnsOf(harness)).toEqual(['text 1 a', 'audio 1', 'yields']);
    expect(turnsOf(harness.speak(1).say(delta('b', false))).at(-1)).toBe('audio 2');
  });
});

describe.each([
  ['with echo', true],
  ['without echo', false],
])('unified turns %s', (_, echo) => {
  it('end with a listen in the step of the last sound', () => {
    const harness = new SessionHarness().live();
    speakTurn(harness, echo);
    speakTurn(harness, echo);
    expect(turnsOf(harness)).toEqual([
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
    const harness = new SessionHarness().live();
    speakTurn(harness, echo);
    harness.speak(1).say(text('b', echo ? idOf(harness) : undefined));
    harness.say(sound(echo ? idOf(harness) : undefined));
    harness.speak(1).say(listen(echo ? idOf(harness) : undefined));
    expect(turnsOf(harness).slice(-3)).toEqual(['text 2 b', 'audio 2', 'yields']);
  });

  it('end with a later listen if the server has not closed a turn within the step', () => {
    const harness = new SessionHarness().live().speak(1);
    harness.say(sound(echo ? idOf(harness) : undefined)).speak(1);
    harness.say(listen(echo ? idOf(harness) : undefined));
    expect(turnsOf(harness)).toEqual(['audio 1', 'ended 1', 'listens']);
  });
});

describe('the user’s voice', () => {
  const voice = (): Float32Array => new Float32Array(16_000).fill(0.2);
  const harnessInTurn = (): SessionHarness => {
    const harness = new SessionHarness().live().speak(1);
    harness.say(sound(idOf(harness)));
    return harness;
  };

  it('cuts the turn it interrupts, if nothing else decides', () => {
    const harness = harnessInTurn().wait(1000);
    harness.session.pushAudio(voice());
    expect(turnsOf(harness.say(listen(idOf(harness)))).at(-1)).toBe('yields');
  });

  it('does not cut if it was heard before the turn or too long ago', () => {
    const before = new SessionHarness().live().wait(1000);
    before.session.pushAudio(voice());
    before.say(sound(idOf(before))).speak(1);
    expect(turnsOf(before.say(listen(idOf(before)))).at(-1)).toBe('listens');
    const longAgo = harnessInTurn().wait(1000);
    longAgo.session.pushAudio(voice());
    longAgo
      .say(sound(idOf(longAgo)))
      .speak(1)
      .say(sound(idOf(longAgo)))
      .speak(2);
    expect(turnsOf(longAgo.say(listen(idOf(longAgo)))).at(-1)).toBe('listens');
  });

  it('is not confused with a click or a quiet room', () => {
    const harness = harnessInTurn().wait(1000);
    const noise = new Float32Array(16_000).fill(0.005);
    noise.fill(1, 100, 500);
    harness.session.pushAudio(noise);
    expect(turnsOf(harness.say(listen(idOf(harness)))).at(-1)).toBe('listens');
  });
});

describe('the setting for yields', () => {
  const overTurn = (yielding: 'always' | 'never', wire: 'unified' | 'legacy'): SessionHarness => {
    const harness = new SessionHarness({ yielding }).live().speak(1);
    harness.say(wire === 'legacy' ? delta('a', false) : sound()).wait(1000);
    // The user speaks, so any listen would otherwise be a yield.
    harness.session.pushAudio(new Float32Array(16_000).fill(0.2));
    return harness.say(wire === 'legacy' ? legacyListen : listen());
  };

  it.each(['unified', 'legacy'] as const)('always: every listen is a yield (%s)', (wire) => {
    const harness = overTurn('always', wire);
    expect(turnsOf(harness).at(-1)).toBe('yields');
    expect(turnsOf(harness)).not.toContain('ended 1');
    harness.speak(1).say(wire === 'legacy' ? legacyListen : listen());
    expect(turnsOf(harness).at(-1)).toBe('yields');
  });

  it('always: a listen is a yield even after the turn has ended', () => {
    const legacy = new SessionHarness({ yielding: 'always' }).live().speak(1).say(delta('a', true));
    expect(turnsOf(legacy.speak(1).say(legacyListen)).slice(-2)).toEqual(['ended 1', 'yields']);
    const unified = new SessionHarness({ yielding: 'always' }).live();
    speakTurn(unified, true);
    expect(turnsOf(unified).at(-1)).toBe('yields');
  });

  it.each(['unified', 'legacy'] as const)(
    'never: a listen ends the turn, which plays to its end (%s)',
    (wire) => {
      expect(turnsOf(overTurn('never', wire)).slice(-2)).toEqual(['ended 1', 'listens']);
    },
  );

  it('never: an interruption is still a yield', () => {
    const harness = new SessionHarness({ yielding: 'never' })
      .live()
      .speak(1)
      .say(delta('a', false));
    harness.session.interrupt();
    expect(turnsOf(harness.say(legacyListen)).at(-1)).toBe('yields');
  });
});

describe('closing a turn within its step', () => {
  it('is detected if no append is left that the listen could answer', () => {
    const harness = new SessionHarness().live().speak(1).say(sound()).wait(500).say(listen());
    harness.speak(1).say(sound()).speak(1).say(listen());
    expect(turnsOf(harness).at(-1)).toBe('yields');
  });

  it('is not detected in a step without sound', () => {
    const harness = new SessionHarness().live().speak(1);
    harness.say(text('a', idOf(harness)), listen(idOf(harness))).speak(1);
    harness.say(sound(idOf(harness))).speak(1);
    expect(turnsOf(harness.say(listen(idOf(harness)))).slice(-2)).toEqual(['ended 2', 'listens']);
  });
});

describe('an interruption', () => {
  it('is sent at once with the partial chunk', () => {
    const harness = new SessionHarness().live();
    harness.session.pushAudio(new Float32Array(6000).fill(1));
    harness.session.interrupt();
    expect(harness.appends).toHaveLength(1);
    expect(harness.appends[0]).toMatchObject({ forceListen: true });
    expect(harness.appends[0]?.audio).toEqual(new Float32Array(6000).fill(1));
  });

  it('pads a short chunk with silence', () => {
    const harness = new SessionHarness().live();
    harness.session.pushAudio(new Float32Array(100).fill(1));
    harness.session.interrupt();
    const audio = harness.appends[0]?.audio;
    expect(audio).toHaveLength(4000);
    expect(audio?.reduce((sum, sample) => sum + sample, 0)).toBe(100);
  });

  it('is repeated until the model listens', () => {
    const harness = new SessionHarness().live().speak(1).say(delta('a', false));
    harness.session.interrupt();
    harness.speak(2).say(delta('b', false), delta('c', false), legacyListen).speak(1);
    expect(harness.appends.map(({ forceListen }) => forceListen ?? false)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(turnsOf(harness)).toEqual(['text 1 a', 'audio 1', 'yields']);
  });

  it('does not pile up when repeated', () => {
    const harness = new SessionHarness().live();
    for (let time = 0; time < 10; time += 1) harness.session.interrupt();
    expect(harness.appends).toHaveLength(1);
  });

  it('exceeds the cap, with the oldest waiting sound', () => {
    const harness = new SessionHarness().live();
    for (let second = 0; second < 5; second += 1)
      harness.session.pushAudio(new Float32Array(16_000).fill(second));
    harness.session.interrupt();
    expect(harness.appends).toHaveLength(4);
    expect(harness.appends[3]).toMatchObject({ forceListen: true });
    expect(harness.appends[3]?.audio[0]).toBe(3);
  });

  it('discards output in flight until the model listened', () => {
    const harness = new SessionHarness().live().speak(1).say(delta('a', false));
    harness.session.interrupt();
    harness.say(delta('b', true)).speak(1).say(legacyListen);
    expect(turnsOf(harness)).toEqual(['text 1 a', 'audio 1', 'yields']);
    expect(turnsOf(harness.speak(1).say(delta('c', false))).slice(-2)).toEqual([
      'text 2 c',
      'audio 2',
    ]);
  });

  it('distinguishes a unified yield from an end', () => {
    const harness = new SessionHarness().live().speak(1).say(sound());
    harness.session.interrupt();
    expect(turnsOf(harness.speak(1).say(listen()))).toEqual(['audio 1', 'yields']);
    harness.speak(1).say(sound()).speak(1).say(listen());
    expect(turnsOf(harness).slice(-3)).toEqual(['audio 2', 'ended 2', 'listens']);
  });

  it.each([
    [4, 'yields'],
    [6, 'listens'],
  ])(
    'an interruption between two turns explains a listen %s seconds later: %s',
    (seconds, outcome) => {
      const harness = new SessionHarness().live();
      harness.session.interrupt();
      harness.say(listen()).speak(1).say(sound());
      expect(
        turnsOf(
          harness
            .wait((seconds - 2) * 1000)
            .speak(1)
            .say(listen()),
        ).at(-1),
      ).toBe(outcome);
    },
  );

  it('stops the sound of a turn that the model ends meanwhile', () => {
    const harness = new SessionHarness().live().speak(1);
    const id = idOf(harness);
    harness.say(sound(id));
    harness.session.interrupt();
    expect(turnsOf(harness.say(listen(id)))).toEqual(['audio 1', 'yields']);
  });

  it('does not end with a listen to an earlier append', () => {
    const harness = new SessionHarness().live().speak(1);
    const before = idOf(harness);
    harness.session.interrupt();
    const forced = idOf(harness);
    harness.say(listen(before), sound(forced)).speak(1);
    expect(harness.appends.at(-1)?.forceListen).toBe(true);
    expect(turnsOf(harness)).toEqual(['listens']);
    harness.say(listen(idOf(harness))).speak(1);
    expect(harness.appends.at(-1)?.forceListen).toBeUndefined();
  });

  it.each([
    ['legacy', [legacyListen, delta('b', false)]],
    ['unified without echo', [listen(), text('b'), sound()]],
  ])('discards output after a listen to an earlier append: %s', (_, late) => {
    const harness = new SessionHarness().live().speak(2);
    harness.session.interrupt();
    const closes =
      late[0]?.kind === 'listen' && late[0].wire === 'legacy' ? legacyListen : listen();
    harness.say(...late);
    expect(turnsOf(harness)).toEqual(['listens']);
    harness.speak(1).say(closes).speak(1);
    expect(harness.appends.at(-1)?.forceListen).toBeUndefined();
    expect(turnsOf(harness.say(delta('c', false))).slice(-2)).toEqual(['text 1 c', 'audio 1']);
  });
});
