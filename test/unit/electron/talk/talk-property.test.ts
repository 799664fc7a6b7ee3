import { expect, it } from 'vitest';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import type { PushToTalkMode } from '../../../../shared/talk/talk-state.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { randomRuns } from '../../../fakes/random-runs.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { endedByUser, lost, ConversationHarness } from './conversation-harness.ts';

const modes: readonly PushToTalkMode[] = ['open', 'hold', 'tap', 'holdOrTap'];
const timeout = { ...lost, error: sessionError('timeout'), by: 'server', orderly: true } as const;

/** A clock that exposes its pending timers. */
class WatchedClock extends FakeClock {
  readonly pending = new Set<object>();
}

/** Plays random actions of user, server and time. */
function play(seed: number): {
  readonly harness: ConversationHarness;
  readonly pending: () => number;
} {
  const random = seeded(seed);
  const one = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const clock = new WatchedClock();
  const after: FakeClock['after'] = (ms, run) => {
    const appointment = {};
    clock.pending.add(appointment);
    const cancel = clock.after(ms, () => {
      clock.pending.delete(appointment);
      run();
    });
    return () => {
      clock.pending.delete(appointment);
      cancel();
    };
  };
  const harness = new ConversationHarness(
    { talking: one(modes), muted: random() < 0.2 },
    { clock: { now: clock.now, after } },
    clock,
  );
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
  return { harness, pending: () => clock.pending.size };
}

it(
  'a talk loses no words, keeps its states in order and leaves no timer, for random actions',
  { timeout: 60_000 },
  async () => {
    const runs = randomRuns(120);
    let turns = 0;
    let cuts = 0;
    for (let seed = 0; seed < runs; seed += 1) {
      const { harness, pending } = play(seed);
      const run = `run ${seed}`;
      const closing = harness.talk.close();
      if (harness.session.phase !== 'closed') harness.session.close(endedByUser);
      await closing;
      expect(pending(), run).toBe(0);
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
