import { beforeEach, describe, expect, it } from 'vitest';
import {
  QuietServerDetector,
  SleepDetector,
} from '../../../../../electron/talk/policies/connection-liveness.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';

describe('the detector of a quiet server', () => {
  let clock: FakeClock;
  let changes: string[];
  let line: QuietServerDetector;

  beforeEach(() => {
    clock = new FakeClock();
    changes = [];
    line = new QuietServerDetector({
      clock,
      onChange: (quiet) => changes.push(`${clock.now()} ${quiet}`),
    });
  });

  /** Sends appends, each answered. */
  function steps(count: number, everyMs: number): void {
    for (let step = 0; step < count; step += 1) {
      line.onAppend();
      clock.advance(everyMs);
      line.onServerEvent();
    }
  }

  describe('a server that answers every append', () => {
    it('is reported as quiet three seconds after its last event, until the next event', () => {
      steps(5, 1000);
      line.onAppend();
      clock.advance(2999);
      expect(changes).toEqual([]);
      line.onAppend();
      clock.advance(1);
      clock.advance(5000);
      line.onServerEvent();
      expect(changes).toEqual(['8000 true', '13000 false']);
      steps(5, 1000);
      expect(changes).toHaveLength(2);
    });

    it('is reported only once if it loses several answers, and again after a minute without a loss', () => {
      for (let time = 0; time < 10; time += 1) {
        steps(5, 1000);
        line.onAppend();
        clock.advance(4000);
        line.onServerEvent();
      }
      expect(changes).toEqual(['8000 true', '9000 false']);
      steps(60, 1000);
      line.onAppend();
      clock.advance(3000);
      expect(changes).toHaveLength(3);
    });

    it('is not reported while nothing is sent', () => {
      steps(5, 1000);
      clock.advance(60_000);
      expect(changes).toEqual([]);
      // After a pause, the wait for an answer starts with the next append.
      line.onAppend();
      clock.advance(2999);
      line.onServerEvent();
      expect(changes).toEqual([]);
    });

    it('is watched afresh after each lost connection', () => {
      steps(5, 1000);
      line.onAppend();
      line.stop();
      clock.advance(10_000);
      line.onAppend();
      clock.advance(10_000);
      expect(changes).toEqual([]);
    });

    it('may answer each append after 2.4 s without being reported', () => {
      steps(20, 2400);
      expect(changes).toEqual([]);
    });
  });

  it('never reports a server with irregular answers', () => {
    for (let step = 0; step < 10; step += 1) {
      line.onAppend();
      clock.advance(4000);
      line.onServerEvent();
    }
    expect(changes).toEqual([]);
  });
});

function setUp() {
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
  it('is reported at once by the system, with the time that the monotonic clock missed', () => {
    const { live, setWall, watch, dead } = setUp();
    live(5_000);
    setWall(3_600_000);
    watch.onSystemWake();
    expect(dead).toEqual([3_600_000]);
    live(10_000);
    expect(dead).toHaveLength(1);
  });

  it('is reported once, although systems report several wakings', () => {
    const { live, setWall, watch, dead } = setUp();
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
    const { live, setWall, dead } = setUp();
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
    const { clock, live, dead } = setUp();
    live(5_000);
    clock.advance(40_000);
    live(9_000, false);
    expect(dead).toEqual([0]);
  });

  it('is not assumed if the server continues after a user set the clock', () => {
    const { live, setWall, dead } = setUp();
    live(5_000);
    setWall(3_600_000);
    live(30_000);
    setWall(-7_200_000);
    live(30_000);
    expect(dead).toEqual([]);
  });

  it('is not disproved by data buffered in the kernel', () => {
    const { live, setWall, watch, dead } = setUp();
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
    const { live, setWall, watch, clock, dead } = setUp();
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
