import { describe, expect, it } from 'vitest';
import {
  ListenOnlyDetector,
  forcedListenSteps,
  onlyListensAfter,
} from '../../../../electron/talk/listen-only-detector.ts';
import { plainMicrophone } from '../../../fakes/fake-devices.ts';
import { ConversationHarness } from './conversation-harness.ts';
import { gatewayHarness } from './gateway-harness.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

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

  it('counts from zero after an answer and in another session', () => {
    for (const again of [{ event: 'text', turn: 1, text: 'Yes.' } as const, sessionBegan]) {
      const detector = new ListenOnlyDetector(0);
      pass(detector, spokenSeconds, true);
      detector.onSessionEvent(again, true);
      expect(detector.unanswered).toEqual({ spokenSeconds: 0, steps: 0 });
      expect(pass(detector, 60, false)).toBe(false);
    }
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
