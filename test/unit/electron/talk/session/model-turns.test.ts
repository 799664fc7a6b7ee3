import { describe, expect, it } from 'vitest';
import {
  idOf,
  turnsOf,
  SessionHarness,
  delta,
  legacyListen,
  listen,
  sound,
  text,
} from './session-harness.ts';
import {
  applyListen,
  applyOutput,
  beginsStep,
  updateStep,
} from '../../../../../electron/talk/session/model-turns.ts';
import type {
  ModelStep,
  TurnState,
  UplinkState,
} from '../../../../../electron/talk/session/session-state.ts';
import { dropLostAppends } from '../../../../../electron/talk/session/uplink-queue.ts';
import type {
  DoneEvent,
  ListenEvent,
  OutputEvent,
  ServerEvent,
} from '../../../../../shared/protocol/realtime-api.ts';

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

it.each([
  ['with echo', true],
  ['without echo', false],
])('unified turns end with a listen in the step of the last sound, %s', (_, echo) => {
  const harness = new SessionHarness().live();
  speakTurn(harness, echo);
  speakTurn(harness, echo);
  const turn = (number: number) => [`text ${number} a`, `audio ${number}`, `ended ${number}`];
  expect(turnsOf(harness)).toEqual([...turn(1), 'listens', ...turn(2), 'listens']);
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

  it.each(['unified', 'legacy'] as const)('“always” makes every listen a yield (%s)', (wire) => {
    const harness = overTurn('always', wire);
    expect(turnsOf(harness).at(-1)).toBe('yields');
    expect(turnsOf(harness)).not.toContain('ended 1');
    harness.speak(1).say(wire === 'legacy' ? legacyListen : listen());
    expect(turnsOf(harness).at(-1)).toBe('yields');
  });

  it('“always” makes a listen a yield even after the turn has ended', () => {
    const legacy = new SessionHarness({ yielding: 'always' }).live().speak(1).say(delta('a', true));
    expect(turnsOf(legacy.speak(1).say(legacyListen)).slice(-2)).toEqual(['ended 1', 'yields']);
    const unified = new SessionHarness({ yielding: 'always' }).live();
    speakTurn(unified, true);
    expect(turnsOf(unified).at(-1)).toBe('yields');
  });

  it.each(['unified', 'legacy'] as const)(
    '“never” lets a turn play to its end after a listen (%s)',
    (wire) => {
      expect(turnsOf(overTurn('never', wire)).slice(-2)).toEqual(['ended 1', 'listens']);
    },
  );
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
  it('is sent at once with the partial chunk, and only once', () => {
    const harness = new SessionHarness().live().speak(1);
    harness.session.pushAudio(new Float32Array(6000).fill(1));
    for (let press = 0; press < 2; press += 1) harness.session.interrupt();
    expect(harness.appends).toHaveLength(2);
    expect(harness.appends[1]).toMatchObject({ forceListen: true });
    expect(harness.appends[1]?.audio).toEqual(new Float32Array(6000).fill(1));
  });

  it('pads a short chunk with silence', () => {
    const harness = new SessionHarness().live();
    harness.session.pushAudio(new Float32Array(100).fill(1));
    harness.session.interrupt();
    const audio = harness.appends[0]?.audio;
    expect(audio).toHaveLength(4000);
    expect(audio?.reduce((sum, sample) => sum + sample, 0)).toBe(100);
  });

  it('is repeated with each append until the model listens', () => {
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

  it('may exceed the cap on unanswered appends, with the oldest waiting sound', () => {
    const harness = new SessionHarness().live();
    for (let second = 0; second < 6; second += 1)
      harness.session.pushAudio(new Float32Array(16_000).fill(second));
    harness.session.interrupt();
    expect(harness.emittedOf('dropped')).toEqual([]);
    expect(harness.appends).toHaveLength(4);
    expect(harness.appends[3]).toMatchObject({ forceListen: true });
    expect(harness.appends[3]?.audio[0]).toBe(3);
  });

  it('discards output in flight until the model has listened', () => {
    const harness = new SessionHarness().live().speak(1).say(delta('a', false));
    harness.session.interrupt();
    harness.say(delta('b', true)).speak(1).say(legacyListen);
    expect(turnsOf(harness)).toEqual(['text 1 a', 'audio 1', 'yields']);
    expect(turnsOf(harness.speak(1).say(delta('c', false))).slice(-2)).toEqual([
      'text 2 c',
      'audio 2',
    ]);
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

const step: ModelStep = {
  inputId: undefined,
  at: 1000,
  text: false,
  audio: true,
  listened: false,
  forced: true,
};
const spoken: ModelStep = { ...step, text: true, audio: false };

describe('the step of an event', () => {
  it.each([
    ['sound after sound', step, sound(), 100],
    ['text after text', spoken, text('a'), 100],
    ['sound after text', spoken, sound(), 700],
    ['a listen after sound', step, listen(), 100],
  ])('is the same for %s up to the limit', (_, before, event, limit) => {
    expect(beginsStep(before, event, 1000 + limit, 1)).toBe(false);
    expect(beginsStep(before, event, 1001 + limit, 1)).toBe(true);
  });

  it('is that of its id, if either event has an id', () => {
    const named = { ...step, inputId: 'p1' };
    expect(beginsStep(named, sound('p1'), 60_000, 1)).toBe(false);
    expect(beginsStep(named, sound('p2'), 1000, 1)).toBe(true);
    expect(beginsStep(named, sound(), 1000, 1)).toBe(true);
    expect(beginsStep(step, sound('p1'), 1000, 1)).toBe(true);
    expect(beginsStep(named, delta('a', false), 1000, 1)).toBe(true);
  });

  it('gets neither text nor sound from an empty event', () => {
    const empty = updateStep(undefined, { ...sound(undefined, 0), text: '' }, 5, true, false);
    expect(empty).toMatchObject({ text: false, audio: false, listened: false, forced: false });
    expect(updateStep(step, text('a'), 5, false, false)).toMatchObject({
      text: true,
      audio: true,
      forced: true,
      at: 5,
    });
    expect(updateStep(step, listen('p'), 5, true, undefined)).toMatchObject({
      inputId: 'p',
      text: false,
      audio: false,
      listened: true,
      forced: undefined,
    });
  });
});

const uplink: UplinkState = {
  count: 3,
  unanswered: [1, 2, 3].map((n) => ({ inputId: `p${n}`, at: n, forced: n === 2 })),
  waiting: [],
  echoes: false,
  answeredAt: 100,
  hasAnswered: true,
  outputs: 0,
};

describe('an append', () => {
  it('is given up after a timeout since the last answer, later if the server echoes ids', () => {
    expect(dropLostAppends(uplink, 5100)).toBe(uplink);
    expect(dropLostAppends(uplink, 5101)).toEqual({ ...uplink, unanswered: [] });
    expect(dropLostAppends({ ...uplink, answeredAt: 0 }, 5001).unanswered).toHaveLength(3);
    const echoing = { ...uplink, echoes: true };
    expect(dropLostAppends(echoing, 30_100)).toBe(echoing);
    expect(dropLostAppends(echoing, 30_101).unanswered).toEqual([]);
    const none = { ...uplink, unanswered: [] };
    expect(dropLostAppends(none, 1e6)).toBe(none);
  });
});

const turns: TurnState = {
  turn: 4,
  open: true,
  closesInStep: false,
  interrupting: false,
  interruptedAt: undefined,
  openedAt: 1000,
  voicedAt: undefined,
};
const yieldsAt = (before: Partial<TurnState>, at: number): boolean =>
  applyListen({ ...turns, ...before }, listen(), undefined, false, at, 'auto', false).effects.some(
    (effect) => effect.do === 'emit' && effect.event.event === 'listen' && effect.event.yields,
  );

describe('a listen over an open turn', () => {
  it('cuts the turn within the limit after an interruption', () => {
    expect(yieldsAt({ interruptedAt: 1000 }, 6000)).toBe(true);
    expect(yieldsAt({ interruptedAt: 1000 }, 6001)).toBe(false);
  });

  it('cuts the turn if the user spoke after the turn began, within the limit', () => {
    expect(yieldsAt({ voicedAt: 1001 }, 3501)).toBe(true);
    expect(yieldsAt({ voicedAt: 1001 }, 3502)).toBe(false);
    expect(yieldsAt({ voicedAt: 1000 }, 1001)).toBe(false);
    expect(yieldsAt({ voicedAt: 1500, openedAt: undefined }, 1600)).toBe(false);
  });

  it('clears an interruption that took effect, and keeps one that did not', () => {
    const after = (at: number): TurnState =>
      applyListen({ ...turns, interruptedAt: 1000 }, listen(), undefined, false, at, 'auto', false)
        .turns;
    expect(after(2000)).toMatchObject({ turn: 5, open: false, interruptedAt: undefined });
    expect(after(9000)).toMatchObject({ turn: 5, open: false, interruptedAt: 1000 });
  });
});

it('a turn opens with its first output, and an empty output opens none', () => {
  const closed = { ...turns, open: false, openedAt: undefined };
  expect(applyOutput(closed, sound(), 70).turns).toMatchObject({ open: true, openedAt: 70 });
  expect(applyOutput(turns, sound(), 70).turns.openedAt).toBe(1000);
  const empty = applyOutput(closed, { ...sound(undefined, 0), text: '', endOfTurn: true }, 70);
  expect(empty).toEqual({ turns: closed, effects: [] });
  expect(applyOutput({ ...turns, interrupting: true }, delta('a', true), 70).effects).toEqual([]);
});

/** The C++ server's answer to the append with this number. */
function numbered(number: number, event: ListenEvent | OutputEvent | DoneEvent): ServerEvent {
  return { ...event, responseId: `sess_1_resp_${number}` };
}
const done: DoneEvent = { kind: 'done', text: '', reason: 'turn_end' };

function second(harness: SessionHarness, ...events: readonly ServerEvent[]): void {
  harness
    .speak(1)
    .wait(400)
    .say(...events)
    .wait(600);
}

describe('a server that numbers its steps and echoes no id', () => {
  it('gets each second at once, although six steps in a row have no events', () => {
    const harness = new SessionHarness().live();
    second(harness, numbered(1, listen()));
    for (let append = 2; append <= 8; append += 1) second(harness);
    expect(harness.appends).toHaveLength(8);
    expect(harness.emittedOf('dropped')).toEqual([]);
  });

  it('gets each second at once, although it has not answered yet', () => {
    const harness = new SessionHarness().live();
    harness.speak(8);
    expect(harness.appends).toHaveLength(8);
    for (let append = 8; append <= 20; append += 1)
      harness.say(numbered(append, listen())).speak(1);
    expect(harness.appends).toHaveLength(21);
    expect(harness.emittedOf('sent').filter(({ waitedMs }) => waitedMs !== undefined)).toEqual([]);
  });

  it('settles a step with its done, which does not end the turn', () => {
    const harness = new SessionHarness().live();
    harness.speak(3).say(numbered(1, listen()), numbered(2, text('a')));
    harness.say(numbered(2, done), numbered(3, done)).speak(3);
    expect(harness.appends).toHaveLength(6);
    expect(turnsOf(harness)).toEqual(['listens', 'text 1 a']);
  });

  it('does not settle a step by sound alone, regardless of its number', () => {
    const harness = new SessionHarness().live();
    harness.speak(3).say(numbered(1, listen()), numbered(3, sound())).speak(3);
    expect(harness.appends).toHaveLength(4);
  });

  it('gets late sound assigned to the turn that a listen has ended', () => {
    const harness = new SessionHarness().live();
    second(harness, numbered(1, listen()));
    harness
      .speak(1)
      .wait(400)
      .say(numbered(2, text('a')), numbered(2, listen()), numbered(2, done))
      .wait(1200)
      .say(numbered(3, sound()), numbered(3, listen()))
      .wait(400);
    expect(turnsOf(harness)).toEqual([
      'listens',
      'text 1 a',
      'listens',
      'audio 1',
      'ended 1',
      'listens',
    ]);
  });

  it('has a turn ended before the next one begins, although its sound has not arrived', () => {
    const harness = new SessionHarness().live();
    second(harness, numbered(1, listen()));
    second(harness);
    harness.say(numbered(2, text('a')), numbered(2, listen())).speak(1);
    harness.say(numbered(3, text('b')), numbered(3, listen())).speak(2);
    harness.say(numbered(4, text('c')));
    const others = ['ended 1', 'text 2 b', 'listens', 'ended 2', 'text 3 c'];
    expect(turnsOf(harness).slice(1)).toEqual(['text 1 a', 'listens', ...others]);
  });

  it('keeps an interruption pending until a later step listens', () => {
    const harness = new SessionHarness().live();
    harness.speak(1).say(numbered(1, text('a')));
    harness.session.interrupt();
    harness.wait(300).say(numbered(1, listen()), numbered(2, text('b')), numbered(2, listen()));
    harness.speak(1).say(numbered(3, text('c')));
    expect(turnsOf(harness)).toEqual(['text 1 a', 'yields', 'listens', 'text 2 c']);
  });

  it('discards the late sound of a turn that was cut, up to the next text', () => {
    const harness = new SessionHarness({ yielding: 'always' }).live();
    second(harness, numbered(1, text('a')), numbered(1, sound()));
    second(harness, numbered(2, listen()), numbered(2, sound()));
    second(harness, numbered(3, text('b')), numbered(3, sound()));
    const heard = ['text 1 a', 'audio 1', 'yields', 'text 2 b', 'audio 2'];
    expect(turnsOf(harness)).toEqual(heard);
  });

  it('is not confused with a server that numbers its answers', () => {
    const harness = new SessionHarness().live().speak(3);
    harness
      .say(listen())
      .speak(1)
      .say(numbered(1, text('a')))
      .wait(500)
      .say(numbered(1, text('b')));
    harness.speak(2);
    expect(harness.appends).toHaveLength(6);
  });
});
