import { beforeEach, describe, expect, it } from 'vitest';
import { Timer } from '../../../../shared/ports/clock.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';

describe('a timer', () => {
  let clock: FakeClock;
  let timer: Timer;
  let done: string[];
  const doing = (name: string) => (): void => {
    done.push(`${name} at ${clock.now()}`);
  };

  beforeEach(() => {
    clock = new FakeClock();
    timer = new Timer(clock);
    done = [];
  });

  it('runs once and is idle during the callback', () => {
    timer.set(10, () => {
      done.push(`set: ${timer.isSet}`);
      timer.set(5, doing('again'));
    });
    expect(timer.isSet).toBe(true);
    clock.advance(100);
    expect(done).toEqual(['set: false', 'again at 15']);
    expect(timer.isSet).toBe(false);
  });

  it('replaces a pending callback with set, and keeps it with setIfIdle', () => {
    timer.set(10, doing('first'));
    timer.set(20, doing('second'));
    timer.setIfIdle(5, doing('third'));
    clock.advance(100);
    expect(done).toEqual(['second at 20']);
    timer.setIfIdle(5, doing('fourth'));
    clock.advance(100);
    expect(done).toEqual(['second at 20', 'fourth at 105']);
  });

  it('does nothing after stop', () => {
    timer.set(10, doing('first'));
    timer.stop();
    timer.stop();
    expect(timer.isSet).toBe(false);
    clock.advance(100);
    expect(done).toEqual([]);
  });
});
