import { expect, it } from 'vitest';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import type { PushToTalkMode } from '../../../../shared/talk/talk-state.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { randomRuns } from '../../../fakes/random-runs.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { byPerson, lost, Stage } from './stage.ts';

const modes: readonly PushToTalkMode[] = ['open', 'hold', 'tap', 'holdOrTap'];
const timeout = { ...lost, error: sessionError('timeout'), by: 'server', orderly: true } as const;

/** A clock that exposes its pending timers. */
class WatchedClock extends FakeClock {
  readonly pending = new Set<object>();
}

/** Plays random actions of user, server and time. */
function play(seed: number): { readonly stage: Stage; readonly pending: () => number } {
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
  const stage = new Stage(
    { talking: one(modes), muted: random() < 0.2 },
    { clock: { now: clock.now, after } },
    clock,
  );
  let turn = 1;
  const server: readonly (() => void)[] = [
    () => stage.says(' some words', random() * 1.5, turn),
    () => stage.says(' more', 0, turn),
    () => stage.ends(turn++),
    () => {
      stage.listens(true);
      turn += 1;
    },
    () => stage.listens(false),
  ];
  const person: readonly (() => void)[] = [
    () => stage.talk.controls.press(),
    () => stage.talk.controls.release(one(['released', 'lost'])),
    () => stage.talk.interrupt(),
    () => stage.talk.controls.setMuted(random() < 0.5),
    () => stage.talk.controls.setCoughMuted(random() < 0.5),
    () => stage.talk.controls.setTalking(one(modes)),
    () => stage.talk.setPaused(true),
    () => stage.talk.setPaused(false),
    () => stage.talk.pushFrame(new Uint8Array(1)),
    () => stage.talk.onSystemWake(),
    () => stage.talk.continueTalk(one(['transcript', 'nothing'])),
    () => stage.talk.end(),
  ];
  for (let step = 0; step < 60; step += 1) {
    const { session } = stage;
    if (session.calls.includes('end') && session.phase !== 'closed') session.close(byPerson);
    else if (session.phase === 'connecting' && random() < 0.5) {
      turn = 1;
      stage.live();
    } else if (session.phase === 'live') {
      if (random() < 0.04) session.close(one([lost, timeout]));
      else if (session.calls.at(-1) === 'interrupt') {
        // A session discards output until the model has listened.
        session.calls.push('listened');
        stage.listens(true);
        turn += 1;
      } else if (random() < 0.7) one(server)();
    }
    if (random() < 0.3) one(person)();
    stage.pass(one([0, 20, 100, 400, 2000]), one([0, 0, 0.3]));
  }
  return { stage, pending: () => clock.pending.size };
}

it('a talk keeps words whole and states in order, and leaves no timer, for random actions', async () => {
  const stories = randomRuns(120);
  let turns = 0;
  let cuts = 0;
  for (let seed = 0; seed < stories; seed += 1) {
    const { stage, pending } = play(seed);
    const story = `story ${seed}`;
    const closing = stage.talk.close();
    if (stage.session.phase !== 'closed') stage.session.close(byPerson);
    await closing;
    expect(pending(), story).toBe(0);
    expect(stage.phases.at(-1), story).toBe('ended');
    expect(stage.speaker.queued(), story).toBe(0);
    for (const [index, phase] of stage.phases.entries()) {
      if (stage.phases[index - 1] === 'ended') expect(phase, story).toBe('connecting');
    }
    const texts = new Map<number, string>();
    for (const { turn, text } of stage.emittedOf('text')) {
      texts.set(turn, (texts.get(turn) ?? '') + text);
    }
    const settled = stage.emittedOf('turnHeard');
    expect(new Set(settled.map(({ turn }) => turn)).size, story).toBe(settled.length);
    for (const { turn, heard, cut } of settled) {
      expect(heard + cut, story).toBe(texts.get(turn) ?? '');
      const caption = stage.caption(turn);
      expect(caption?.heard ?? 0, story).toBe(heard.length);
      if (cut !== '') expect(caption?.cutFrom, story).toBe(heard.length);
      if (cut !== '') cuts += 1;
      turns += 1;
    }
  }
  // The test would prove nothing if hardly anything were said.
  expect(turns).toBeGreaterThan(stories * 2.5);
  expect(cuts).toBeGreaterThan(stories * 0.8);
});
