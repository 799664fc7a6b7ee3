import { beforeEach, describe, expect, it } from 'vitest';
import { QuietServerDetector } from '../../../../../electron/talk/policies/connection-liveness.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';

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
  it('is reported as quiet three seconds after its last event, until the next one', () => {
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

  it('is reported once if it loses answers, and again after a minute without a loss', () => {
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

  it('may be slow', () => {
    steps(20, 2400);
    expect(changes).toEqual([]);
  });

  it('is not reported while nothing is sent', () => {
    steps(5, 1000);
    clock.advance(60_000);
    expect(changes).toEqual([]);
    // After a pause the wait for an answer starts now.
    line.onAppend();
    clock.advance(2999);
    line.onServerEvent();
    expect(changes).toEqual([]);
  });

  it('starts over after each lost connection', () => {
    steps(5, 1000);
    line.onAppend();
    line.stop();
    clock.advance(10_000);
    line.onAppend();
    clock.advance(10_000);
    expect(changes).toEqual([]);
  });
});

it('a server with irregular answers is never reported as quiet', () => {
  for (let step = 0; step < 10; step += 1) {
    line.onAppend();
    clock.advance(4000);
    line.onServerEvent();
  }
  expect(changes).toEqual([]);
});
