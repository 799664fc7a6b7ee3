import { beforeEach, describe, expect, it } from 'vitest';
import { QuietServerDetector } from '../../../../../electron/talk/policies/connection-liveness.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';

let clock: FakeClock;
let told: string[];
let line: QuietServerDetector;

beforeEach(() => {
  clock = new FakeClock();
  told = [];
  line = new QuietServerDetector({
    clock,
    changed: (quiet) => told.push(`${clock.now()} ${quiet}`),
  });
});

/** Appends, each answered as long as the server lives. */
function steps(count: number, everyMs: number): void {
  for (let step = 0; step < count; step += 1) {
    line.sent();
    clock.advance(everyMs);
    line.heard();
  }
}

describe('a server that answers every append', () => {
  it('is quiet three seconds after its last word, and no longer than that', () => {
    steps(5, 1000);
    line.sent();
    clock.advance(2999);
    expect(told).toEqual([]);
    line.sent();
    clock.advance(1);
    clock.advance(5000);
    line.heard();
    expect(told).toEqual(['8000 true', '13000 false']);
    steps(5, 1000);
    expect(told).toHaveLength(2);
  });

  it('is called quiet once where it loses answers, and again after a minute without a loss', () => {
    for (let time = 0; time < 10; time += 1) {
      steps(5, 1000);
      line.sent();
      clock.advance(4000);
      line.heard();
    }
    expect(told).toEqual(['8000 true', '9000 false']);
    steps(60, 1000);
    line.sent();
    clock.advance(3000);
    expect(told).toHaveLength(3);
  });

  it('may be slow', () => {
    steps(20, 2400);
    expect(told).toEqual([]);
  });

  it('owes nothing while nothing is sent', () => {
    steps(5, 1000);
    clock.advance(60_000);
    expect(told).toEqual([]);
    // It was not asked for a minute: its answer is awaited from now on.
    line.sent();
    clock.advance(2999);
    line.heard();
    expect(told).toEqual([]);
  });

  it('is another one after each loss', () => {
    steps(5, 1000);
    line.sent();
    line.stop();
    clock.advance(10_000);
    line.sent();
    clock.advance(10_000);
    expect(told).toEqual([]);
  });
});

it('a server that speaks when it likes is never taken for quiet', () => {
  for (let step = 0; step < 10; step += 1) {
    line.sent();
    clock.advance(4000);
    line.heard();
  }
  expect(told).toEqual([]);
});
