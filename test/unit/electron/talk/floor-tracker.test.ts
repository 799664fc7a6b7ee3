import { describe, expect, it } from 'vitest';
import { plainMicrophone } from '../../../fakes/fake-devices.ts';
import { ConversationHarness } from './conversation-harness.ts';
import {
  ListenOnlyDetector,
  forcedListenSteps,
  onlyListensAfter,
} from '../../../../electron/talk/listen-only-detector.ts';
import { gatewayHarness } from './gateway-harness.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

const noBargeIn = { enabled: false, shortMs: 600, aboveNoiseDb: 12 };

describe('the floor', () => {
  it('belongs to those who are heard, and each change is emitted', () => {
    const harness = new ConversationHarness({ bargeIn: noBargeIn }).live().pass(200, 0.1);
    expect(harness.floors).toEqual(['you']);
    harness.pass(600).says('one', 2).pass(400);
    expect(harness.floors).toEqual(['you', 'nobody', 'parley']);
    harness.pass(400, 0.1);
    expect(harness.floors.at(-1)).toBe('both');
    harness.pass(3000);
    expect(harness.floors.slice(-2)).toEqual(['parley', 'nobody']);
  });

  it('does not belong to the user while the transmit gate is closed', () => {
    const harness = new ConversationHarness({ talking: 'hold' }).live().pass(500, 0.5);
    expect(harness.floors).toEqual([]);
    harness.talk.controls.press();
    harness.pass(500, 0.5);
    harness.talk.controls.setMuted(true);
    expect(harness.floors).toEqual(['you', 'nobody']);
  });

  it("follows the microphone's voice detector: a quiet voice counts, a loud fan does not", () => {
    let voice = 0.9;
    const microphone = { ...plainMicrophone, voiceLikelihood: () => voice };
    const harness = new ConversationHarness({ bargeIn: noBargeIn }, { microphone })
      .live()
      .pass(200, 0.004);
    expect(harness.floors).toEqual(['you']);
    voice = 0.1;
    harness.pass(1000, 0.3);
    expect(harness.floors).toEqual(['you', 'nobody']);
  });
});

describe('a sound of the user over the answer', () => {
  it('ducks the answer if it is short, and the answer continues', () => {
    const harness = new ConversationHarness().live().pass(1000).says('one two three', 5).pass(1000);
    harness.pass(300, 0.3).pass(100);
    expect(harness.speaker.gains.at(-1)).toBeLessThan(0.5);
    expect(harness.speaker.queued()).toBeGreaterThan(0);
    harness.pass(600);
    expect(harness.speaker.gains.at(-1)).toBe(1);
    expect(harness.session.calls).toEqual([]);
    expect(harness.ends().pass(4000).shown(1)).toBe('one two three|');
  });

  it('only lowers the answer’s volume while its turn is open, and the model’s yield ends the answer', () => {
    const harness = new ConversationHarness().live().pass(1000).says('one two three', 5).pass(1000);
    harness.pass(1500, 0.3);
    expect(harness.speaker.gains.at(-1)).toBeLessThan(0.5);
    expect(harness.speaker.queued()).toBeGreaterThan(0);
    harness.listens(true);
    expect(harness.speaker.queued()).toBe(0);
    expect(harness.pass(300).speaker.gains.at(-1)).toBe(1);
  });

  it('stops an answer whose turn has ended but which still sounds', () => {
    const harness = new ConversationHarness()
      .live()
      .pass(1000)
      .says('one two three', 8)
      .ends()
      .pass(1000);
    harness.pass(1500, 0.3);
    expect(harness.speaker.queued()).toBe(0);
    expect(harness.pass(100).shown(1)).toContain('~');
    expect(harness.session.calls).toEqual([]);
  });

  it('has no effect while muted or if barge-in is off', () => {
    const muted = new ConversationHarness({ muted: true })
      .live()
      .pass(1000)
      .says('one', 5)
      .pass(1000);
    expect(muted.pass(1500, 0.3).speaker.gains).toEqual([]);
    const off = new ConversationHarness({ bargeIn: noBargeIn })
      .live()
      .pass(1000)
      .says('one', 5)
      .pass(1000);
    expect(off.pass(1500, 0.3).speaker.gains).toEqual([]);
  });
});

const amplitude = (db: number): number => 10 ** (db / 20);

interface Sound {
  readonly likelihood?: number;
  /** Undefined without an echo to cancel. */
  readonly presence?: number | undefined;
}

/** A quiet room and a partly heard answer; then half a second of a sound at `db`. */
function hear(db: number, { likelihood = 0.95, presence }: Sound): ConversationHarness {
  let heard = { likelihood: 0.02, presence: presence === undefined ? undefined : 0.02 };
  const harness = new ConversationHarness(
    {},
    {
      microphone: {
        latencyMs: () => 0,
        voiceLikelihood: () => heard.likelihood,
        hasEcho: () => presence !== undefined,
        nearEndPresence: () => heard.presence,
      },
    },
  );
  harness.live().pass(1000).says('one two three four five six', 10).pass(3000);
  heard = { likelihood, presence };
  return harness.pass(500, amplitude(db));
}

const isLowered = (db: number, sound: Sound): boolean => hear(db, sound).speaker.gains.length > 0;

describe('while an answer’s echo is cancelled', () => {
  it('a person lowers the answer’s volume, even with a quiet voice', () => {
    expect(isLowered(-30, { presence: 0.95 })).toBe(true);
    expect(isLowered(-48, { presence: 0.95 })).toBe(true);
  });
});

const speaking = (): ConversationHarness =>
  new ConversationHarness().live().says('one two three four five six', 3).pass(1000);

describe('an interruption', () => {
  it('silences the answer in the same tick, before the model learns of it', () => {
    const harness = speaking();
    const queued: number[] = [harness.speaker.queued()];
    harness.session.onInterrupt = () => void queued.push(harness.speaker.queued());
    harness.talk.interrupt();
    expect(queued[0]).toBeGreaterThan(0);
    expect(queued[1]).toBe(0);
  });

  it('reports the unheard samples once, when the model yields', () => {
    const harness = speaking();
    harness.talk.interrupt();
    const unheard = 3 * 24_000 - harness.speaker.heard();
    expect(unheard).toBeGreaterThan(24_000);
    harness.listens(true).listens(true);
    expect(harness.emittedOf('listen').map(({ flushedSamples }) => flushedSamples)).toEqual([
      unheard,
      0,
    ]);
  });
});

describe('an answer', () => {
  it('plays out to its last sample and word if its turn has ended', () => {
    const harness = speaking().ends().listens(false).pass(3000);
    expect(harness.speaker.queued()).toBe(0);
    expect(harness.emittedOf('listen')[0]?.flushedSamples).toBe(0);
    expect(harness.shown(1)).toBe('one two three four five six|');
    expect(harness.emittedOf('turnHeard')).toEqual([
      { event: 'turnHeard', turn: 1, heard: 'one two three four five six', cut: '' },
    ]);
  });

  it('stops at once if the model yields, and its heard words are reported', () => {
    const harness = speaking().listens(true);
    expect(harness.speaker.queued()).toBe(0);
    const { flushedSamples } = harness.emittedOf('listen')[0] ?? {};
    const heard = harness.speaker.heard();
    expect(heard).toBeGreaterThan(20_000);
    expect(flushedSamples).toBe(3 * 24_000 - heard);
    expect(harness.pass(100).emittedOf('turnHeard')[0]?.cut).toMatch(/six$/);
  });
});

const { spokenSeconds, quietSeconds, steps } = onlyListensAfter;

/** Sends seconds of sound, each a step in which the model listened. Returns whether the last step was reported. */
function pass(detector: ListenOnlyDetector, seconds: number, isVoice: boolean): boolean {
  let isDue = false;
  for (let second = 0; second < seconds; second += 1) {
    detector.onSent(1, isVoice);
    isDue = listens(detector);
  }
  return isDue;
}

/** Whether the detector reports now. */
const listens = (detector: ListenOnlyDetector): boolean =>
  detector.onSessionEvent({ event: 'listen', yields: false }, true) !== undefined;

const sessionBegan = { event: 'state', state: 'live' } as const;

describe('a server that only listens', () => {
  it('is reported after enough speech and enough quiet to answer in, over any number of pauses', () => {
    const detector = new ListenOnlyDetector(0);
    expect(pass(detector, spokenSeconds - 2, true)).toBe(false);
    expect(pass(detector, quietSeconds - 1, false)).toBe(false);
    expect(pass(detector, 2, true)).toBe(false);
    expect(pass(detector, 1, false)).toBe(true);
    expect(detector.unanswered).toEqual({ spokenSeconds, steps: spokenSeconds + quietSeconds });
  });

  it.each([
    ['the user has not spoken', 0, 60],
    ['the user said little', spokenSeconds - 1, 60],
    ['the user speaks without a pause', 60, quietSeconds - 1],
  ])('is not reported if %s', (_, voice, quiet) => {
    const detector = new ListenOnlyDetector(0);
    pass(detector, voice, true);
    expect(pass(detector, quiet, false)).toBe(false);
  });

  it('is not reported while no steps arrive', () => {
    const detector = new ListenOnlyDetector(0);
    detector.onSent(spokenSeconds, true);
    detector.onSent(60, false);
    for (let step = 1; step < steps; step += 1) expect(listens(detector)).toBe(false);
    expect(listens(detector)).toBe(true);
  });

  it('starts counting from zero after an answer and in another session', () => {
    for (const again of [{ event: 'text', turn: 1, text: 'Yes.' } as const, sessionBegan]) {
      const detector = new ListenOnlyDetector(0);
      pass(detector, spokenSeconds, true);
      detector.onSessionEvent(again, true);
      expect(detector.unanswered).toEqual({ spokenSeconds: 0, steps: 0 });
      expect(pass(detector, 60, false)).toBe(false);
    }
  });

  it('is reported as soon as reports are allowed again', () => {
    const detector = new ListenOnlyDetector(0);
    const listen = { event: 'listen', yields: false } as const;
    detector.onSessionEvent({ event: 'session', id: 'one', dialect: 'legacy' }, true);
    pass(detector, spokenSeconds, true);
    detector.onSent(quietSeconds, false);
    for (let step = 0; step < steps; step += 1)
      expect(detector.onSessionEvent(listen, false)).toBeUndefined();
    expect(detector.onSessionEvent(listen, true)).toMatchObject({
      dialect: 'legacy',
      spokenSeconds,
    });
  });

  it('is reported once', () => {
    const detector = new ListenOnlyDetector(0);
    pass(detector, spokenSeconds, true);
    expect(pass(detector, quietSeconds, false)).toBe(true);
    detector.onSessionEvent(sessionBegan, true);
    pass(detector, spokenSeconds, true);
    expect(pass(detector, 60, false)).toBe(false);
  });

  it('may listen for as many forced steps as configured, in each session', () => {
    const detector = new ListenOnlyDetector(30);
    pass(detector, 20, true);
    expect(pass(detector, 10, false)).toBe(false);
    expect(detector.unanswered).toEqual({ spokenSeconds: 0, steps: 0 });
    pass(detector, spokenSeconds, true);
    expect(pass(detector, quietSeconds, false)).toBe(true);
    detector.onSessionEvent(sessionBegan, true);
    pass(detector, spokenSeconds, true);
    expect(pass(detector, quietSeconds, false)).toBe(false);
  });
});

it('the number of forced steps comes from the settings or from the other options', () => {
  expect(forcedListenSteps(undefined)).toBe(0);
  expect(forcedListenSteps({ forceListenCount: 3 })).toBe(3);
  expect(forcedListenSteps({ other: { force_listen_count: 5 } })).toBe(5);
  expect(forcedListenSteps({ other: { force_listen_count: 'many' } })).toBe(0);
});

const loud = 0.3;
const faults = [{ kind: 'onlyListens' }] as const;

/** Speaks and pauses in turn. */
function ask(harness: ConversationHarness, times: number): void {
  for (let time = 0; time < times; time += 1) harness.pass(3000, loud).pass(3000);
}

describe('the warning that a server only listens', () => {
  const unified = (...[options]: Parameters<typeof gatewayHarness>[1][]) =>
    gatewayHarness({ faults }, { dialect: 'unified', ...options });
  const reports = (harness: ConversationHarness) => harness.emittedOf('onlyListens');

  it('does not appear while the user is muted, but soon after', () => {
    const harness = unified();
    harness.pass(4000, loud).pass(3000).pass(4000, loud);
    harness.talk.controls.setMuted(true);
    harness.pass(20_000, loud);
    expect(reports(harness)).toEqual([]);
    harness.talk.controls.setMuted(false);
    // Muted time does not count as waiting for an answer.
    harness.pass(700);
    expect(reports(harness)).toEqual([]);
    harness.pass(3000);
    expect(reports(harness)).toHaveLength(1);
  });

  it('does not appear in push-to-talk, unless the user spoke with the key', () => {
    const harness = unified({ talking: 'hold' });
    ask(harness, 4);
    expect(reports(harness)).toEqual([]);
    for (let time = 0; time < 3; time += 1) {
      harness.talk.controls.press();
      harness.pass(3000, loud);
      harness.talk.controls.release();
      harness.pass(3000, loud);
    }
    expect(reports(harness)).toHaveLength(1);
  });

  it('does not appear if the voice is too quiet, or the sound is not a voice', () => {
    for (const [loudness, likelihood] of [
      [0.002, 0.9],
      [loud, 0.1],
    ] as const) {
      const microphone = { ...plainMicrophone, voiceLikelihood: () => likelihood };
      const harness = new ConversationHarness({}, { microphone }).live();
      for (let second = 0; second < 18; second += 1)
        harness.pass(1000, second % 6 < 3 ? loudness : 0).listens(false);
      expect(reports(harness)).toEqual([]);
    }
  });

  it('does not appear while the model is forced to listen, at first or by an interruption', () => {
    const first = unified({ settings: { generation: { forceListenCount: 100 } } });
    ask(first, 4);
    expect(reports(first)).toEqual([]);
    const interrupted = unified();
    for (let time = 0; time < 4; time += 1) {
      interrupted.pass(3000, loud);
      interrupted.talk.interrupt();
      interrupted.pass(3000);
    }
    expect(reports(interrupted)).toEqual([]);
  });
});

it('a talk posts that its server only listens, with the settings that may help', async () => {
  const harness = new TalkControllerHarness();
  harness.traits = { config: { length_penalty: null } };
  await harness.live();
  harness.session.emit({ event: 'session', id: 's', dialect: 'unified' });
  const { microphone } = harness.devices;
  for (let second = 0; second < 18; second += 1) {
    for (let block = 0; block < 50; block += 1) {
      harness.clock.advance(20);
      microphone.hear(new Float32Array(320).fill(second % 6 < 3 ? 0.3 : 0));
    }
    harness.session.emit({ event: 'listen', yields: false });
  }
  expect(harness.posted('talkOnlyListens')).toMatchObject([{ settings: ['listenProbScale'] }]);
});
