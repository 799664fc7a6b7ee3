import { flushPromises, deferred } from '../../../fakes/promises.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionPhase } from '../../../../electron/talk/session/session-event.ts';
import { failure, sessionError } from '../../../../shared/errors/app-error.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { noPage } from '../../../../shared/ipc/page.ts';
import { ConversationHarness, endedByUser, lost } from './conversation-harness.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';
import type { Cue } from '../../../../electron/talk/captions/live-captions.ts';
import { LastAnswer } from '../../../../electron/talk/last-answer.ts';
import type {
  ConversationDeps,
  ConversationEvent,
} from '../../../../electron/talk/conversation-options.ts';

const timeout = { ...lost, error: sessionError('timeout'), by: 'server', orderly: true } as const;

describe('the end of a talk', () => {
  it('lets the answer play out at the time limit, and offers to continue', () => {
    const harness = new ConversationHarness().live().says('one two', 2).ends().pass(500);
    harness.session.enter('closing').close(timeout);
    expect(harness.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    harness.pass(3000);
    expect(harness.shown(1)).toBe('one two|');
    harness.talk.continueTalk('transcript');
    expect(harness.session.options.settings.instructions).toContain('one two');
    expect(harness.live().phases.slice(-2)).toEqual(['connecting', 'live']);
  });

  it('may be followed by a talk without the transcript', () => {
    const harness = new ConversationHarness({ settings: { instructions: 'Be kind.' } }).live();
    harness.says('one two', 1).ends().pass(2000).session.close(timeout);
    harness.talk.continueTalk('nothing');
    expect(harness.session.options.settings.instructions).toBe('Be kind.');
    harness.talk.continueTalk('nothing');
    expect(harness.sessions).toHaveLength(2);
  });

  it('may be followed by a talk that is silent until the user presses the key again', () => {
    const harness = new ConversationHarness({ talking: 'tap' }).live();
    harness.talk.controls.toggle();
    harness.session.close(timeout);
    harness.talk.continueTalk('transcript');
    harness.live();
    expect(harness.talk.controls.view).toMatchObject({ latched: false, transmitting: false });
  });

  it('may be followed by a talk without any trace of the answer that still sounded', () => {
    const harness = new ConversationHarness().live().says('one two', 5).ends().pass(1000);
    harness.session.close(timeout);
    harness.talk.continueTalk('nothing');
    expect(harness.talk.isSounding()).toBe(false);
    harness.live().pass(6000).session.close(lost);
    harness.pass(1000);
    expect(harness.sessions).toHaveLength(3);
    expect(harness.session.options.settings.instructions).toBeUndefined();
  });

  it('silences the answer at once if the user requests it, even repeatedly', () => {
    const harness = new ConversationHarness().live().says('one two', 5);
    harness.talk.end();
    harness.talk.end();
    expect(harness.speaker.queued()).toBe(0);
    harness.session.enter('closing').close(endedByUser);
    harness.talk.end();
    expect(harness.phases.filter((phase) => phase === 'ended')).toHaveLength(1);
  });

  it('is final if the server is closing the session meanwhile, even if another session is opening', async () => {
    for (const opensNext of [false, true]) {
      const harness = new ConversationHarness({ handsOver: true }).live().says('one two', 5);
      const [session] = harness.sessions;
      harness.pass(20_000);
      if (opensNext) harness.talk.handOver('open');
      const { length } = harness.sessions;
      session?.enter('closing');
      harness.talk.end();
      expect(harness.phases.at(-1)).toBe('ending');
      session?.close(timeout);
      expect(harness.state).toMatchObject({ phase: 'ended', offer: 'none' });
      await harness.talk.close();
      expect(harness.pass(20_000).sessions).toHaveLength(length);
    }
  });

  it('is on the tape of a talk that Parley closes during a reconnect', async () => {
    const written: object[] = [];
    const tape = { write: (event: object) => written.push(event) };
    const harness = new ConversationHarness({}, { tape }).live();
    harness.session.close(lost);
    await harness.talk.close();
    expect(written.at(-1)).toEqual({ kind: 'end' });
  });

  it.each(['end', 'close'] as const)(
    'cuts the words before it is over, if %s comes during a reconnect',
    async (how) => {
      const harness = new ConversationHarness().live().says('one two', 5).ends().pass(1000);
      harness.session.close(lost);
      await harness.talk[how]();
      expect(harness.shown(1)).toBe('one|~ two');
      expect(harness.emitted.at(-1)).toMatchObject({ event: 'talk', state: { phase: 'ended' } });
    },
  );

  it('closes after its session, and leaves no events or timers', async () => {
    const harness = new ConversationHarness().live().says('one two', 5);
    const closing = harness.talk.close();
    expect(harness.talk.close()).toBe(closing);
    harness.session.enter('closing').close(endedByUser);
    await closing;
    const before = harness.emitted.length;
    harness.pass(60_000);
    harness.talk.continueTalk('nothing');
    harness.talk.interrupt();
    expect(harness.emitted).toHaveLength(before);
    expect(harness.sessions).toHaveLength(1);
  });
});

let harness: TalkControllerHarness;

beforeEach(() => {
  harness = new TalkControllerHarness();
});

describe('a continued talk', () => {
  it('is refused if another talk began while the devices were released', async () => {
    const letGo = deferred();
    let asked = 0;
    harness = new TalkControllerHarness({
      acquireSound: () => {
        asked += 1;
        return asked === 2 ? letGo.promise : Promise.resolve();
      },
    });
    await harness.live();
    harness.session.close(timeout);
    const goingOn = harness.controller.continue({ carry: 'nothing' });
    const opened = harness.devices.chosen.length;
    await harness.live('video');
    const { frameSink } = harness;
    letGo.resolve();
    expect(await goingOn).toMatchObject(failure('talkStartingAlready'));
    expect(harness.frameSink).toBe(frameSink);
    expect(harness.devices.chosen.length - opened).toBe(2);
  });

  it('continues only once, even if requested repeatedly', async () => {
    await harness.live();
    harness.session.close(timeout);
    const asked = [1, 2].map(() => harness.controller.continue({ carry: 'nothing' }));
    expect(await Promise.all(asked)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(harness.sessions).toHaveLength(2);
  });
});

it('pages pause, mute, steer and end a talk', async () => {
  const { handlers } = harness.controller;
  expect(await handlers.hearComputer({ on: true }, noPage)).toEqual(failure('noTalk'));
  expect(await handlers.setPaused({ paused: true }, noPage)).toMatchObject({ ok: false });
  await harness.live();
  expect(await handlers.hearComputer({ on: true }, noPage)).toEqual(
    failure('computerSoundUnsupported'),
  );
  void handlers.setTalking({ mode: 'hold' }, noPage);
  void handlers.setCoughMuted({ muted: true }, noPage);
  void handlers.setPaused({ paused: true }, noPage);
  expect(harness.controller.view.controls).toMatchObject({
    talking: 'hold',
    coughMuted: true,
    muted: false,
    paused: true,
  });
  expect(harness.settings.get().talking.mode).toBe('hold');
  void handlers.interruptTalk(undefined, noPage);
  expect(harness.session.calls).toEqual(['pause', 'interrupt']);
  harness.session.close(lost);
  void handlers.networkBack(undefined, noPage);
  expect(harness.sessions).toHaveLength(2);
  void handlers.endTalk(undefined, noPage);
  expect(harness.session.calls).toContain('end');
  harness.session.close(endedByUser);
  expect(await handlers.hearComputer({ on: true }, noPage)).toEqual(failure('noTalk'));
});

it('a talk posts each step of its server, its errors and the time that it was live', async () => {
  await harness.live();
  harness.clock.advance(700);
  expect(harness.controller.view.liveMs).toBe(700);
  const { session } = harness;
  session.emit({ event: 'metrics', metrics: { values: {} }, roundTripMs: 80 });
  session.emit({ event: 'metrics', metrics: { values: {} } });
  const steps = harness.posted('talkStep');
  expect(steps.map(({ latest }) => latest)).toEqual([{ roundTrip: 80 }, {}]);
  expect(steps[0]).toMatchObject({ echo: 'off', unanswered: { spokenSeconds: 0, steps: 0 } });
  for (const fatal of [false, true])
    session.emit({ event: 'error', error: sessionError('timeout'), fatal });
  expect(harness.posted('talkTrouble')).toEqual([sessionError('timeout')]);
  session.close(timeout);
  expect(harness.log.lines.join('; ')).toMatch(
    /microphone .* captured.*; speaker .*; answer conc/u,
  );
  session.enter('connecting');
  await harness.controller.continue({ carry: 'nothing' });
  expect(harness.controller.view.liveMs).toBeUndefined();
});

it('a page that opens during a talk gets the times in which the user spoke, also while the user speaks', async () => {
  await harness.live();
  const hear = (ms: number, level: number): void => {
    for (let end = 0; end < ms; end += 20) {
      harness.clock.advance(20);
      harness.controller.withTalk((talk) => talk.pushAudio(new Float32Array(320).fill(level)));
    }
  };
  const marks = (seconds: number) => [
    { at: expect.any(Number) as number, seconds: expect.closeTo(seconds, 0) as number },
  ];
  hear(1500, 0.1);
  expect(harness.controller.view.spoken).toEqual(marks(1.4));
  hear(500, 0.1);
  hear(1000, 0);
  expect(harness.controller.view.spoken).toEqual(marks(2.3));
});

it('a talk counts the time while it was lost and queued', async () => {
  await harness.live();
  harness.clock.advance(60_000);
  harness.session.close(lost);
  harness.clock.advance(1000);
  harness.session.enter('connecting', 'queued', 'configuring');
  expect(harness.controller.view.state.phase).toBe('connecting');
  harness.session.enter('live');
  expect(harness.controller.view.liveMs).toBe(61_000);
});

describe('the microphone of a talk', () => {
  it('is closed while the talk waits in a queue, and its state is shown while it is open', async () => {
    await harness.controller.start('audio');
    const enter = async (...phases: readonly SessionPhase[]) => {
      harness.session.enter(...phases);
      await flushPromises();
      if (harness.devices.open[1] === 1)
        harness.devices.microphone.emit({ kind: 'using', device: 'Built-in' });
      return [harness.devices.open[1], harness.controller.view.devices.microphone.kind];
    };
    expect(await enter('connecting', 'queued')).toEqual([0, 'unknown']);
    expect(await enter('configuring')).toEqual([1, 'using']);
    expect(harness.controller.view.state.phase).toBe('connecting');
    expect(await enter('live')).toEqual([1, 'using']);
    harness.session.close(lost);
    harness.clock.advance(10_000);
    // Speech during a reconnect is sent later, so the microphone stays open.
    expect(harness.devices.open[1]).toBe(1);
    harness.session.enter('connecting', 'queued');
    await flushPromises();
    expect(harness.devices.open[1]).toBe(0);
    expect(harness.controller.view.devices.microphone.kind).toBe('unknown');
  });
});

const perMs = 24;

/** A conversation played to a file, with its length and timed words. */
class ConversationToFile {
  samples = 0;
  readonly cues: Cue[] = [];
  readonly harness: ConversationHarness;

  constructor(deps: Partial<ConversationDeps> = {}) {
    this.harness = new ConversationHarness(
      { reconnects: false },
      {
        speaker: undefined,
        onPlayed: (samples) => void (this.samples += samples.length),
        onCue: (cue) => void this.cues.push(cue),
        ...deps,
      },
    );
  }

  /** First and last word of each cue, with its times. */
  get spans(): readonly unknown[] {
    return this.cues.map(({ words }) => [
      words[0]?.text,
      Math.round(words[0]?.start ?? NaN),
      words.at(-1)?.text,
      Math.round(words.at(-1)?.end ?? NaN),
    ]);
  }
}

describe('without a speaker', () => {
  it('an interruption silences the answer only when the model yields', () => {
    const { harness } = new ConversationToFile();
    harness.live().says('one two three four', 4).pass(1000).talk.interrupt();
    expect(harness.emittedOf('listen')).toEqual([]);
    expect(harness.talk.isSounding()).toBe(true);
    harness.pass(1000).listens(true);
    expect(harness.emittedOf('listen')[0]?.flushedSamples).toBe(2000 * perMs);
    expect(harness.talk.isSounding()).toBe(false);
  });

  it('the end of the talk plays everything at once, before the end is emitted', () => {
    const file = new ConversationToFile();
    const { harness } = file;
    harness.live().says('one two three four', 4).ends().pass(1000).talk.end();
    harness.session.enter('closing').close(endedByUser);
    expect(file.samples).toBe(4000 * perMs);
    expect(harness.shown(1)).toBe('one two three four|');
    const last = harness.emitted.findLastIndex(({ event }) => event === 'caption');
    expect(harness.emitted.findIndex((event) => isEnd(event))).toBeGreaterThan(last);
  });
});

describe('the times of words', () => {
  it('follow the time line of what was played, including pauses', () => {
    const file = new ConversationToFile();
    file.harness.live().pass(3000).says('aaaa', 1).ends().pass(3000);
    file.harness.says('bbbb cccc', 2, 2).ends(2).pass(3000);
    expect(file.spans).toEqual([
      ['aaaa', 3000, 'aaaa', 4000],
      ['bbbb', 6000, ' cccc', 8000],
    ]);
  });

  it('exclude words that were not heard', () => {
    const file = new ConversationToFile();
    const { harness } = file;
    harness.live().says('zero.', 1).ends().says('one two three four.', 1, 2).ends(2);
    harness.says('five six seven eight.', 1, 3).ends(3).says('never.', 0, 4);
    harness.pass(1500).listens(true).session.close(lost);
    const words = file.cues.flatMap((cue) => cue.words.map(({ text }) => text.trim()));
    expect(words.slice(0, 3)).toEqual(['zero.', 'one', 'two']);
    expect(words).not.toContain('four.');
    expect(words.join(' ')).not.toMatch(/five|never/);
  });
});

describe('without reconnects', () => {
  it('a lost connection ends the talk', () => {
    const { harness } = new ConversationToFile();
    harness.live().session.close(lost);
    expect(harness.emittedOf('talk').at(-1)?.state).toMatchObject({
      phase: 'ended',
      ending: { error: { code: 'connectionLost' }, orderly: false },
    });
    expect(harness.pass(20_000).sessions).toHaveLength(1);
  });
});

it.each<readonly [ConversationEvent, ConversationEvent]>([
  [
    { event: 'text', turn: 1, text: 'Yes.' },
    { event: 'turnEnded', turn: 1 },
  ],
  [
    { event: 'audio', turn: 1, audio: new Float32Array(1) },
    { event: 'listen', yields: true, flushedSamples: 0 },
  ],
])('the last question is answered only when %o has been followed by %o', (output, end) => {
  const last = new LastAnswer(true);
  const state = (...events: readonly ConversationEvent[]) => {
    for (const event of events) last.onEvent(event);
    return [last.isOpen, last.requiredQuietMs];
  };
  expect(state()).toEqual([false, 1500]);
  last.onQuestion();
  expect(state(end)).toEqual([false, 10_000]);
  const listens = { event: 'listen', yields: false, flushedSamples: 0 } as const;
  expect(state(output, listens)).toEqual([true, 10_000]);
  expect(state(end)).toEqual([false, 1500]);
});

describe('a session', () => {
  it('warns of the time limit only at 15 s if another session takes over', () => {
    const thresholds = (handsOver: boolean) => {
      const harness = new ConversationHarness({ handsOver, sessionSeconds: 200 }).live();
      harness.pass(199_000);
      return harness.emittedOf('warning').map(({ warning }) => warning.threshold);
    };
    expect([thresholds(false), thresholds(true)]).toEqual([[60, 15], [15]]);
  });

  it('logs the first unknown event, and the delays that its server measures', () => {
    const log = new FakeLog();
    const harness = new ConversationHarness({}, { log }).live();
    for (const type of ['new.one', 'new.two']) harness.session.emit({ event: 'unknown', type });
    harness.clock.advance(60_000);
    harness.session.emit({ event: 'metrics', metrics: { values: {} }, roundTripMs: 80 });
    expect(log.lines[0]).toContain('the server sent an unknown event: new.one');
    expect(log.lines).toHaveLength(2);
  });
});

function isEnd(event: ConversationHarness['emitted'][number]): boolean {
  return event.event === 'talk' && event.state.phase === 'ended';
}
