import { describe, expect, it } from 'vitest';
import { plainMicrophone } from '../../../fakes/fake-devices.ts';
import { gatewayStage } from './gateway-stage.ts';
import { Stage } from './stage.ts';

const loud = 0.3;
const faults = [{ kind: 'onlyListens' }] as const;

/** Speaks and pauses in turn. */
function ask(stage: Stage, times: number): void {
  for (let time = 0; time < times; time += 1) stage.pass(3000, loud).pass(3000);
}

const servers = [
  ['unified', 'documented'],
  ['unified', 'deployed'],
  ['unified', 'llama-omni'],
  ['legacy', 'documented'],
  ['legacy', 'deployed'],
] as const;

describe.each(servers)('a server that only listens, %s %s', (dialect, profile) => {
  it('is reported once per talk, with the amount it heard', () => {
    const stage = gatewayStage({ dialect, profile, faults }, { dialect });
    ask(stage, 3);
    const [report, ...more] = stage.emittedOf('onlyListens');
    expect([report?.dialect, more]).toEqual([dialect, []]);
    expect(report?.spokenSeconds).toBeGreaterThanOrEqual(6);
    expect(report?.spokenSeconds).toBeLessThanOrEqual(9);
    expect(report?.steps).toBeGreaterThanOrEqual(6);
    ask(stage, 4);
    expect(stage.emittedOf('onlyListens')).toHaveLength(1);
    expect(stage.talk.stats().unanswered.spokenSeconds).toBeGreaterThan(15);
  });
});

describe.each(servers)('a server that answers, %s %s', (dialect, profile) => {
  it('is not reported', () => {
    const stage = gatewayStage({ dialect, profile }, { dialect });
    ask(stage, 3);
    expect(stage.emittedOf('text').length).toBeGreaterThan(0);
    expect(stage.emittedOf('onlyListens')).toEqual([]);
  });
});

describe('the warning that a server only listens', () => {
  const unified = (...[options]: Parameters<typeof gatewayStage>[1][]) =>
    gatewayStage({ faults }, { dialect: 'unified', ...options });
  const reports = (stage: Stage) => stage.emittedOf('onlyListens');

  it('does not appear while the user is muted, but soon after', () => {
    const stage = unified();
    stage.pass(4000, loud).pass(3000).pass(4000, loud);
    stage.talk.controls.setMuted(true);
    stage.pass(20_000, loud);
    expect(reports(stage)).toEqual([]);
    stage.talk.controls.setMuted(false);
    // Muted time does not count as waiting for an answer.
    stage.pass(700);
    expect(reports(stage)).toEqual([]);
    stage.pass(3000);
    expect(reports(stage)).toHaveLength(1);
  });

  it('does not appear if the last step arrives while muted', () => {
    const stage = new Stage().live().pass(8000, loud).pass(5000);
    stage.talk.controls.setMuted(true);
    for (let step = 0; step < 9; step += 1) stage.listens(false);
    expect(reports(stage)).toEqual([]);
    stage.talk.controls.setMuted(false);
    expect(reports(stage.listens(false))).toHaveLength(1);
  });

  it('does not appear if an answer came in between', () => {
    const stage = new Stage().live();
    const second = (loudness: number) => stage.pass(1000, loudness).listens(false);
    for (let count = 0; count < 5; count += 1) second(loud);
    stage.says('Yes', 0).ends();
    for (let count = 0; count < 5; count += 1) second(loud);
    for (let count = 0; count < 9; count += 1) second(0);
    expect(reports(stage)).toEqual([]);
  });

  it('does not appear while the talk is paused', () => {
    const stage = unified();
    stage.talk.setPaused(true);
    ask(stage, 4);
    expect(reports(stage)).toEqual([]);
  });

  it('does not appear in push-to-talk, unless the user spoke with the key', () => {
    const stage = unified({ talking: 'hold' });
    ask(stage, 4);
    expect(reports(stage)).toEqual([]);
    for (let time = 0; time < 3; time += 1) {
      stage.talk.controls.press();
      stage.pass(3000, loud);
      stage.talk.controls.release();
      stage.pass(3000, loud);
    }
    expect(reports(stage)).toHaveLength(1);
  });

  it('does not appear if the voice is too quiet, or the sound is not a voice', () => {
    for (const [loudness, likelihood] of [
      [0.002, 0.9],
      [loud, 0.1],
    ] as const) {
      const microphone = { ...plainMicrophone, voiceLikelihood: () => likelihood };
      const stage = new Stage({}, { microphone }).live();
      for (let second = 0; second < 18; second += 1)
        stage.pass(1000, second % 6 < 3 ? loudness : 0).listens(false);
      expect(reports(stage)).toEqual([]);
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

  it('does not appear before a session is live, and while an answer still sounds', () => {
    const stage = new Stage();
    stage.session.enter('connecting', 'configuring');
    stage.pass(10_000, loud).pass(10_000);
    for (let step = 0; step < 20; step += 1) stage.listens(false);
    stage.session.enter('live');
    stage.says('a long answer', 30).ends();
    // Once a second, too short for a barge-in.
    for (let second = 0; second < 25; second += 1) stage.pass(200, loud).pass(800).listens(false);
    expect(reports(stage)).toEqual([]);
    expect(stage.talk.stats().unanswered.spokenSeconds).toBe(0);
  });

  it('does not appear in a replay', () => {
    const stage = new Stage({}, { tape: { plays: true } }).live();
    for (let second = 0; second < 18; second += 1)
      stage.pass(1000, second % 6 < 3 ? loud : 0).listens(false);
    expect(reports(stage)).toEqual([]);
  });
});
