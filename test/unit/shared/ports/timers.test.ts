import { beforeEach, describe, expect, it, vi } from 'vitest';
import { repeatEvery, Timer } from '../../../../shared/ports/clock.ts';
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

describe('repeatEvery', () => {
  it('runs at every interval until it returns done', () => {
    const clock = new FakeClock();
    const run = vi.fn<() => 'done' | undefined>();
    repeatEvery(clock, 10, run);
    clock.advance(9);
    expect(run).not.toHaveBeenCalled();
    clock.advance(21);
    expect(run).toHaveBeenCalledTimes(3);
    run.mockReturnValueOnce('done');
    clock.advance(100);
    expect(run).toHaveBeenCalledTimes(4);
  });

  it('continues after a run throws, and reports the error', () => {
    const clock = new FakeClock();
    const run = vi.fn<() => 'done' | undefined>();
    repeatEvery(clock, 10, run);
    run.mockImplementationOnce(() => {
      throw new Error('the device is gone');
    });
    expect(() => {
      clock.advance(10);
    }).toThrow('the device is gone');
    clock.advance(10);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('ends when stopped, even within a run', () => {
    const clock = new FakeClock();
    const run = vi.fn<() => undefined>(() => {
      stop();
      return undefined;
    });
    const stop = repeatEvery(clock, 10, run);
    clock.advance(50);
    expect(run).toHaveBeenCalledTimes(1);
  });
});
