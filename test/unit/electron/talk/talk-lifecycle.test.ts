import { describe, expect, it } from 'vitest';
import {
  type QueueUpdate,
  queueWait,
  type QueueWait,
  waitSeconds,
} from '../../../../electron/talk/talk-lifecycle.ts';
import { CurrentSession } from '../../../../electron/talk/current-session.ts';
import { appError, sessionError } from '../../../../shared/errors/app-error.ts';
import { ConversationHarness, endedByUser, FakeSession, lost } from './conversation-harness.ts';
import type { PushToTalkMode } from '../../../../shared/talk/talk-view.ts';
import { englishCarryOver } from '../../../../shared/i18n/en/prompts.ts';
import { randomRuns, seeded } from '../../../fakes/seeded.ts';

describe('the talk lifecycle', () => {
  it('emits one state at a time, only on change', () => {
    const harness = new ConversationHarness();
    harness.session.enter('connecting', 'queued');
    for (const [position, etaSeconds] of [
      [2, 20],
      [2, 20],
      [1, 10],
    ] as const) {
      harness.session.emit({ event: 'queue', position, length: 3, etaSeconds });
    }
    harness.session.enter('configuring', 'live');
    harness.talk.end();
    harness.session.enter('closing').close(endedByUser);
    expect(harness.phases).toEqual([
      'connecting',
      'queued',
      'queued',
      'queued',
      'connecting',
      'live',
      'ending',
      'ended',
    ]);
    const [, event] = harness.emittedOf('talk').filter(({ state }) => state.phase === 'queued');
    expect(event?.state).toEqual({ phase: 'queued', position: 2, length: 3, etaSeconds: 20 });
  });

  it('counts the instructions as the first use of the context', () => {
    const harness = new ConversationHarness();
    harness.session.enter('connecting', 'configuring');
    harness.session.emit({ event: 'session', id: 's', dialect: 'legacy', promptLength: 256 });
    harness.session.enter('live');
    expect(harness.emittedOf('limits').at(-1)?.limits.tokens).toBe(8192 - 256);
  });

  it('continues after a loss, with the heard words in the instructions', () => {
    const harness = new ConversationHarness({ settings: { instructions: 'Be kind.' } }).live();
    harness.says('one two three', 2).ends().pass(3000).says('four five six seven', 4, 2).pass(1500);
    harness.session.close(lost);
    const first = { phase: 'reconnecting', attempt: 1, error: lost.error };
    expect(harness.state).toMatchObject(first);
    harness.pass(1000);
    expect(harness.sessions).toHaveLength(2);
    expect(harness.state).toMatchObject({ phase: 'reconnecting', inMs: 0 });
    const { instructions } = harness.session.options.settings;
    expect(instructions).toMatch(/^Be kind\./);
    expect(instructions).toContain('one two three');
    expect(instructions).toContain('four');
    harness.live();
    expect(harness.phases.slice(-3)).toEqual(['reconnecting', 'reconnecting', 'live']);
  });

  it('plays out sound received before a loss, and cuts the rest', () => {
    const harness = new ConversationHarness()
      .live()
      .says('one two three four five six seven eight nine ten eleven', 1)
      .pass(200);
    harness.session.close(lost);
    harness.pass(1500);
    expect(harness.speaker.queued()).toBe(0);
    expect(harness.speaker.heard()).toBeGreaterThanOrEqual(24_000);
    expect(harness.talk.stats().playout?.concealmentEvents).toBe(0);
    expect(harness.shown(1)).toMatch(/^one two[a-z ]*\|~ [a-z ]*eleven$/);
  });

  it('numbers turns across sessions', () => {
    const harness = new ConversationHarness()
      .live()
      .says('one', 1)
      .ends()
      .says('two', 1, 2)
      .ends(2)
      .pass(3000);
    harness.session.close(lost);
    harness.pass(1000).live().says('three', 1).ends().pass(2000);
    expect(harness.emittedOf('turnHeard').map(({ turn, heard }) => [turn, heard])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ]);
  });

  it('ignores events of a dropped session', () => {
    const harness = new ConversationHarness().live();
    const [first] = harness.sessions;
    harness.talk.onSystemWake();
    expect(first?.calls).toEqual(['end']);
    expect(harness.phases.at(-1)).toBe('reconnecting');
    first?.emit({ event: 'text', turn: 1, text: 'too late' });
    first?.close(endedByUser);
    expect(harness.pass(1000).phases.at(-1)).toBe('reconnecting');
    expect(harness.sessions).toHaveLength(2);
    expect(harness.emittedOf('text')).toEqual([]);
  });

  it('retries at once when the machine wakes during a backoff', () => {
    const harness = new ConversationHarness().live();
    harness.session.close(lost);
    harness.talk.onSystemWake();
    expect(harness.sessions).toHaveLength(2);
    expect(harness.pass(20_000).sessions).toHaveLength(2);
  });

  it('detects a sleep by the calendar clock, unless the server still answers', () => {
    const sleeping = (): { readonly harness: ConversationHarness; readonly sleep: () => void } => {
      let slept = 0;
      const harness: ConversationHarness = new ConversationHarness(
        {},
        { wallNow: () => harness.clock.now() + slept },
      ).live();
      return { harness: harness.pass(1000), sleep: () => void (slept += 3_600_000) };
    };
    const dead = sleeping();
    dead.sleep();
    expect(dead.harness.pass(9000).sessions).toHaveLength(2);
    const alive = sleeping();
    alive.sleep();
    alive.harness.pass(1000).listens(false);
    expect(alive.harness.pass(9000).sessions).toHaveLength(1);
    const restarted = sleeping();
    restarted.sleep();
    restarted.harness.pass(200).session.close(lost);
    restarted.harness.pass(1000).live();
    expect(restarted.harness.pass(9000).sessions).toHaveLength(2);
  });

  it('ends during a backoff, without further attempts', () => {
    const harness = new ConversationHarness().live();
    harness.session.close(lost);
    harness.talk.end();
    expect(harness.state).toMatchObject({
      phase: 'ended',
      ending: { by: 'client' },
    });
    expect(harness.pass(20_000).sessions).toHaveLength(1);
  });

  it('carries pause and slices over to later sessions', () => {
    const harness = new ConversationHarness({ mode: 'video', settings: { maxSlices: 1 } }).live();
    harness.talk.setMaxSlices(4);
    harness.talk.setPaused(true);
    harness.session.close(lost);
    harness.pass(1000);
    expect(harness.session.options.settings.maxSlices).toBe(4);
    expect(harness.session.calls).toEqual(['pause']);
  });
});

describe('devices', () => {
  it('are emitted with their current state, and a lost one does not end the talk', () => {
    const harness = new ConversationHarness().live();
    harness.talk.onDeviceEvent('microphone', { kind: 'using', device: 'Headset' });
    harness.talk.onDeviceEvent('microphone', { kind: 'lost', error: appError('noMicrophone') });
    harness.talk.onDeviceEvent('speaker', { kind: 'moved', from: 'Headset', device: 'Built-in' });
    expect(harness.emittedOf('devices').at(-1)?.devices).toEqual({
      microphone: { kind: 'lost', error: appError('noMicrophone') },
      speaker: { kind: 'standsIn', device: 'Built-in', missing: 'Headset' },
    });
    expect(harness.phases.at(-1)).toBe('live');
  });
});

describe('the wait in a queue', () => {
  const whole = { position: 2, length: 3, etaSeconds: 20 };

  const eta = (etaSeconds: number): QueueUpdate => ({ etaSeconds });
  const moved = { ...whole, position: 1 };

  /** The updates and the expected seconds left, by the second in which they come. */
  it.each<[string, Record<number, QueueUpdate>, left: Record<number, number>]>([
    ['counts down to zero', { 0: whole }, { 0: 20, 5: 15, 20: 0, 100: 0 }],
    ['does not jump back on repeats', { 0: whole, 3: whole, 9: whole }, { 9: 11 }],
    ['ignores small changes', { 0: eta(30), 3: eta(29) }, { 3: 27 }],
    ['accepts a shorter time', { 0: eta(40), 3: eta(20) }, { 3: 20 }],
    ['accepts a longer time', { 0: eta(20), 9: eta(50) }, { 9: 50 }],
    ['starts over in another place', { 0: whole, 15: moved }, { 15: 20 }],
    ['ignores an invalid time', { 0: whole, 5: eta(-1) }, { 5: 15 }],
  ])('%s', (_what, updates, left) => {
    let wait: QueueWait | undefined;
    for (const [at, update] of Object.entries(updates))
      wait = queueWait(wait, update, Number(at) * 1000);
    for (const [at, seconds] of Object.entries(left))
      expect(wait && waitSeconds(wait, Number(at) * 1000)).toBe(seconds);
  });

  it('keeps values that an update omits', () => {
    const wait = queueWait(queueWait(undefined, whole, 0), { etaSeconds: -1 }, 5000);
    expect(wait).toMatchObject({ position: 2, length: 3, etaSeconds: 15, at: 5000 });
    expect(waitSeconds(queueWait(undefined, { position: 1 }, 0), 0)).toBeUndefined();
  });
});

it('a talk infers pruning when a server’s cumulative usage exceeds its context', () => {
  const usage = { inputAudio: 9000 };
  const told = (values: Readonly<Record<string, number>>) => {
    const harness = new ConversationHarness().live();
    harness.session.emit({ event: 'metrics', metrics: { contextTokens: 9000, values, usage } });
    return harness.emittedOf('limits').at(-1)?.limits.pruning;
  };
  expect([told({}), told({ kv_cache_length: 9000 })]).toEqual([true, false]);
});

const modes: readonly PushToTalkMode[] = ['open', 'hold', 'tap', 'holdOrTap'];
const timeout = { ...lost, error: sessionError('timeout'), by: 'server', orderly: true } as const;

/** Plays random actions of user, server and time. */
function play(seed: number): ConversationHarness {
  const random = seeded(seed);
  const one = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const harness = new ConversationHarness({ talking: one(modes), muted: random() < 0.2 });
  let turn = 1;
  const server: readonly (() => void)[] = [
    () => harness.says(' some words', random() * 1.5, turn),
    () => harness.says(' more', 0, turn),
    () => harness.ends(turn++),
    () => {
      harness.listens(true);
      turn += 1;
    },
    () => harness.listens(false),
  ];
  const user: readonly (() => void)[] = [
    () => harness.talk.controls.press(),
    () => harness.talk.controls.release(one(['released', 'lost'])),
    () => harness.talk.interrupt(),
    () => harness.talk.controls.setMuted(random() < 0.5),
    () => harness.talk.controls.setCoughMuted(random() < 0.5),
    () => harness.talk.controls.setTalking(one(modes)),
    () => harness.talk.setPaused(true),
    () => harness.talk.setPaused(false),
    () => harness.talk.pushFrame(new Uint8Array(1)),
    () => harness.talk.onSystemWake(),
    () => harness.talk.continueTalk(one(['transcript', 'nothing'])),
    () => harness.talk.end(),
  ];
  for (let step = 0; step < 60; step += 1) {
    const { session } = harness;
    if (session.calls.includes('end') && session.phase !== 'closed') session.close(endedByUser);
    else if (session.phase === 'connecting' && random() < 0.5) {
      turn = 1;
      harness.live();
    } else if (session.phase === 'live') {
      if (random() < 0.04) session.close(one([lost, timeout]));
      else if (session.calls.at(-1) === 'interrupt') {
        // A session discards output until the model has listened.
        session.calls.push('listened');
        harness.listens(true);
        turn += 1;
      } else if (random() < 0.7) one(server)();
    }
    if (random() < 0.3) one(user)();
    harness.pass(one([0, 20, 100, 400, 2000]), one([0, 0, 0.3]));
  }
  return harness;
}

it(
  'a talk loses no words, keeps its states in order and leaves no timer, for random actions',
  { timeout: 60_000 },
  async () => {
    const runs = randomRuns(120);
    let turns = 0;
    let cuts = 0;
    for (let seed = 0; seed < runs; seed += 1) {
      const harness = play(seed);
      const run = `run ${seed}`;
      const closing = harness.talk.close();
      if (harness.session.phase !== 'closed') harness.session.close(endedByUser);
      await closing;
      expect(harness.clock.pending, run).toBe(0);
      expect(harness.phases.at(-1), run).toBe('ended');
      expect(harness.speaker.queued(), run).toBe(0);
      for (const [index, phase] of harness.phases.entries()) {
        if (harness.phases[index - 1] === 'ended') expect(phase, run).toBe('connecting');
      }
      const texts = new Map<number, string>();
      for (const { turn, text } of harness.emittedOf('text')) {
        texts.set(turn, (texts.get(turn) ?? '') + text);
      }
      const settled = harness.emittedOf('turnHeard');
      expect(new Set(settled.map(({ turn }) => turn)).size, run).toBe(settled.length);
      for (const { turn, heard, cut } of settled) {
        expect(heard + cut, run).toBe(texts.get(turn) ?? '');
        const caption = harness.caption(turn);
        expect(caption?.heard ?? 0, run).toBe(heard.length);
        if (cut !== '') expect(caption?.cutFrom, run).toBe(heard.length);
        if (cut !== '') cuts += 1;
        turns += 1;
      }
    }
    // The test would prove nothing if hardly anything were said.
    expect(turns).toBeGreaterThan(runs * 2.5);
    expect(cuts).toBeGreaterThan(runs * 0.8);
  },
);

describe('the current session', () => {
  const tools = [{ name: 'clock' }];

  function createSessions() {
    const sessions: FakeSession[] = [];
    const events: object[] = [];
    const current = new CurrentSession(
      {
        mode: 'audio',
        settings: { maxSlices: 2 },
        dialect: 'auto',
        chunkMs: 1000,
        talking: 'open',
        carryOver: englishCarryOver,
      },
      (options, emit) => {
        const session = new FakeSession(options, emit);
        sessions.push(session);
        return session;
      },
      (event) => events.push(event),
      () => tools,
    );
    return { sessions, events, current, calls: () => sessions.map(({ calls }) => calls) };
  }

  it('is replaced by the next session, which continues its turns, its pause and its slices', () => {
    const { sessions, events, current, calls } = createSessions();
    current.open('one');
    sessions[0]?.emit({ event: 'session', id: 's', dialect: 'unified', takesTools: true });
    sessions[0]?.emit({ event: 'text', turn: 2, text: 'a' });
    current.switchToNext();
    const early: object[] = [];
    current.openNext('two', (event) => early.push(event));
    sessions[1]?.emit({ event: 'text', turn: 1, text: 'b' });
    current.setNextInstructions('three');
    current.setMaxSlices(4);
    current.setPaused(true);
    current.switchToNext();
    sessions[0]?.emit({ event: 'text', turn: 3, text: 'lost' });
    sessions[1]?.emit({ event: 'turnEnded', turn: 1 });
    current.setPaused(false);
    current.setNextInstructions('none');
    expect(calls()).toEqual([
      ['slices 4', 'pause', 'end'],
      ['told three', 'slices 4', 'pause', 'resume'],
    ]);
    expect(early).toEqual([{ event: 'text', turn: 1, text: 'b' }]);
    expect(events.slice(1)).toEqual([
      { event: 'text', turn: 2, text: 'a' },
      { event: 'turnEnded', turn: 3 },
    ]);
    expect(sessions.map(({ options }) => options)).toMatchObject([
      { settings: { instructions: 'one', maxSlices: 2, tools }, takesTools: false },
      { settings: { instructions: 'two', maxSlices: 2, tools }, takesTools: true },
    ]);
  });

  it('gets sound, pictures and tool answers, which are ignored while there is no session', () => {
    const { sessions, current, calls, events } = createSessions();
    const useAll = (): number => {
      current.pushAudio(new Float32Array(6000));
      current.pushFrame(new Uint8Array(3));
      current.interrupt();
      current.answerCall('c', 'noon');
      return current.missingSamples();
    };
    current.end();
    expect(useAll()).toBe(0);
    current.open(undefined);
    expect(useAll()).toBe(10_000);
    current.openNext(undefined, (event) => events.push(event));
    current.openNext(undefined, (event) => events.push(event));
    current.end();
    current.drop();
    for (const session of sessions) session.enter('live');
    expect(events).toEqual([]);
    const used = ['see 3', 'interrupt', 'answered c: noon', 'end', 'end'];
    expect(calls()).toEqual([used, ['end'], ['end']]);
  });
});
