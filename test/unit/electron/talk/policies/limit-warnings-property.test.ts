import { describe, expect, it } from 'vitest';
import { LimitWarnings } from '../../../../../electron/talk/policies/limit-warnings.ts';
import type { Clock } from '../../../../../shared/ports/clock.ts';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { limitsScene } from './limit-warnings-scene.ts';

describe('limit warnings of a random session', () => {
  it('come at the times given by wait and limit', () => {
    for (let seed = 0; seed < randomRuns(200); seed += 1) {
      const random = seeded(seed);
      const limit = 60 + Math.floor(random() * 240);
      const waited = Math.floor(random() * limit);
      const scene = limitsScene({ sessionSeconds: limit });
      scene.enter('connecting', 'queued');
      scene.clock.advance(waited * 1000);
      scene.enter('configuring', 'live');
      for (let step = 0; step < 80; step += 1) {
        scene.clock.advance(Math.floor(random() * 16_000));
        if (random() < 0.3) scene.limits.onUsage(500);
      }
      scene.clock.advance(1_000_000);
      expect(scene.warned, `seed ${seed}`).toEqual([
        ...warningsOf(limit, waited),
        ...warningsOf(waited + limit, limit + 5),
      ]);
    }
  });

  it('come at most once per limit and threshold, and remaining time is never negative', () => {
    for (let seed = 0; seed < 25; seed += 1) {
      const random = seeded(seed);
      const scene = limitsScene({ sessionSeconds: 60 + Math.floor(random() * 240) });
      scene.enter('connecting', 'configuring', 'live');
      let tokens = 100;
      let nearest = Infinity;
      for (let step = 0; step < 400; step += 1) {
        scene.clock.advance(100 + Math.floor(random() * 1500));
        if (random() < 0.8) scene.limits.onUsage((tokens += Math.floor(random() * 90)));
        const { seconds = Infinity, tokenSeconds = Infinity } = scene.limits.headroom();
        nearest = Math.min(nearest, seconds, tokenSeconds);
      }
      expect(nearest).toBe(0);
      const said = scene.warned.map((line) => line.replace(/ at .*/u, ''));
      expect(new Set(said).size, scene.warned.join()).toBe(said.length);
      expect(said.some((line) => line.endsWith(' 15'))).toBe(true);
      scene.limits.stop();
    }
  });

  it('are recomputed after the clock has jumped over a timer', () => {
    const clock = new JumpingClock();
    const emitted: (number | undefined)[] = [];
    const warned: string[] = [];
    const limits = new LimitWarnings({
      clock,
      mode: 'video',
      onChange: ({ seconds }) => emitted.push(seconds),
      onWarning: ({ threshold, secondsLeft }) => warned.push(`${threshold}: ${secondsLeft}`),
    });
    for (const phase of ['connecting', 'configuring', 'live'] as const) limits.onPhase(phase);
    clock.jump(200_000);
    clock.fire();
    expect(warned).toEqual([]);
    expect(clock.waits.slice(-2)).toEqual([240_000, 40_000]);
    clock.jump(80_000);
    limits.onUsage(500);
    expect(warned).toEqual(['60: 20']);
    expect(clock.waits.at(-1)).toBe(5_000);
    expect(emitted).toEqual([undefined, 300, 20]);
  });

  it('use one timer at a time, even if the clock jumps', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const random = seeded(seed);
      const clock = new JumpingClock();
      const warned: number[] = [];
      const limits = new LimitWarnings({
        clock,
        mode: 'video',
        onChange: () => undefined,
        onWarning: ({ threshold }) => {
          warned.push(threshold);
        },
      });
      for (const phase of ['connecting', 'configuring', 'live'] as const) limits.onPhase(phase);
      for (let step = 0; step < 50; step += 1) {
        clock.jump(Math.floor(random() * 20_000) - 2_000);
        if (random() < 0.5) clock.fire();
        if (random() < 0.3) limits.onUsage(100 + step);
        expect(clock.appointments.size).toBeLessThanOrEqual(1);
      }
      clock.jump(310_000);
      for (let round = 0; round < 5; round += 1) clock.fire();
      expect(clock.appointments.size).toBe(0);
      expect(warned.filter((threshold) => threshold === 60).length).toBeLessThanOrEqual(1);
      expect(warned.filter((threshold) => threshold === 15).length).toBeLessThanOrEqual(1);
    }
  });
});

/** Expected warnings for an end in seconds that becomes known at a time. */
function warningsOf(end: number, from: number): readonly string[] {
  if (from >= end) return [];
  const moments = [60, 15].filter((threshold) => end - threshold > from);
  const late = [15, 60].find((threshold) => end - threshold <= from);
  const expected = moments.map((threshold) => `time ${threshold} at ${end - threshold}`);
  return late === undefined ? expected : [`time ${late} at ${from}`, ...expected];
}

/** A clock whose time and timers the test moves independently. */
class JumpingClock implements Clock {
  readonly appointments = new Set<() => void>();
  #time = 0;

  readonly now = (): number => this.#time;

  readonly waits: number[] = [];

  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    this.waits.push(milliseconds);
    this.appointments.add(run);
    return () => this.appointments.delete(run);
  };

  jump(milliseconds: number): void {
    this.#time += milliseconds;
  }

  fire(): void {
    for (const run of this.appointments) {
      this.appointments.delete(run);
      run();
      break;
    }
  }
}
