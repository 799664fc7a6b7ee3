import { describe, expect, it } from 'vitest';
import { SleepDetector } from '../../../../../electron/talk/policies/connection-liveness.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';

function scene() {
  const clock = new FakeClock();
  let ahead = 1_700_000_000_000;
  const dead: number[] = [];
  const watch = new SleepDetector({
    clock,
    wallNow: () => clock.now() + ahead,
    onConnectionDead: (sleptMs) => dead.push(sleptMs),
  });
  return {
    clock,
    watch,
    dead,
    /** Advances only the wall clock. */
    setWall: (ms: number) => {
      ahead += ms;
    },
    /** Polls like the microphone; the server answers each second unless it is gone. */
    live: (ms: number, server = true) => {
      for (let at = 20; at <= ms; at += 20) {
        clock.advance(20);
        watch.poll();
        if (server && at % 1000 === 0) watch.onServerEvent();
      }
    },
  };
}

describe('a machine that slept', () => {
  it('is not reported without a sleep', () => {
    const { live, dead } = scene();
    live(120_000);
    expect(dead).toEqual([]);
  });

  it('is reported at once by the system, with the time that the monotonic clock missed', () => {
    const { live, setWall, watch, dead } = scene();
    live(5_000);
    setWall(3_600_000);
    watch.onSystemWake();
    expect(dead).toEqual([3_600_000]);
    live(10_000);
    expect(dead).toHaveLength(1);
  });

  it('is reported once, although systems report several wakings', () => {
    const { live, setWall, watch, dead } = scene();
    live(5_000);
    setWall(60_000);
    watch.onSystemWake();
    live(1_000, false);
    watch.onSystemWake();
    live(10_000, false);
    expect(dead).toEqual([60_000]);
    watch.onSystemWake();
    expect(dead).toEqual([60_000, 0]);
  });

  it('is found by the clocks alone if the server stays silent', () => {
    const { live, setWall, dead } = scene();
    live(5_000);
    setWall(600_000);
    live(7_900, false);
    expect(dead).toEqual([]);
    live(200, false);
    expect(dead).toEqual([600_000]);
    live(20_000, false);
    expect(dead).toHaveLength(1);
  });

  it('is detected by missing polls if both clocks continued', () => {
    const { clock, live, dead } = scene();
    live(5_000);
    clock.advance(40_000);
    live(9_000, false);
    expect(dead).toEqual([0]);
  });

  it('is not assumed if the server continues after a user set the clock', () => {
    const { live, setWall, dead } = scene();
    live(5_000);
    setWall(3_600_000);
    live(30_000);
    setWall(-7_200_000);
    live(30_000);
    expect(dead).toEqual([]);
  });

  it('is not disproved by data buffered in the kernel', () => {
    const { live, setWall, watch, dead } = scene();
    live(5_000);
    setWall(60_000);
    watch.poll();
    watch.onServerEvent();
    live(400, false);
    watch.onServerEvent();
    live(8_000, false);
    expect(dead).toEqual([60_000]);
  });

  it('is forgotten with the connection', () => {
    const { live, setWall, watch, clock, dead } = scene();
    live(5_000);
    setWall(60_000);
    watch.poll();
    watch.stop();
    clock.advance(60_000);
    watch.poll();
    clock.advance(8_000);
    expect(dead).toEqual([]);
  });
});
