import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Deque } from '../../../shared/collections.ts';
import { callListener, Listeners } from '../../../shared/listeners.ts';
import { repeatEvery, Timer } from '../../../shared/ports/clock.ts';
import { FakeClock } from '../../fakes/fake-clock.ts';
import { randomRuns, seeded } from '../../fakes/seeded.ts';

const wrong = new Error('a listener has a fault');

describe('listeners', () => {
  it('are called in the order they were added, until removed', () => {
    const listeners = new Listeners<number>();
    const heard: string[] = [];
    const first = (event: number): void => void heard.push(`first ${event}`);
    const leave = listeners.add(first);
    listeners.add((event) => heard.push(`second ${event}`));
    listeners.emit(1);
    leave();
    leave();
    listeners.emit(2);
    expect(heard).toEqual(['first 1', 'second 1', 'second 2']);
  });

  it('are called twice if added twice, and removed separately', () => {
    const listeners = new Listeners<number>();
    const heard: number[] = [];
    const listener = (event: number): void => void heard.push(event);
    const leave = listeners.add(listener);
    listeners.add(listener);
    leave();
    listeners.emit(1);
    expect(heard).toEqual([1]);
  });

  it('are all called if one throws, and its error is reported', () => {
    const told: unknown[] = [];
    const listeners = new Listeners<number>((error) => told.push(error));
    const heard: number[] = [];
    listeners.add(() => {
      throw wrong;
    });
    listeners.add((event) => heard.push(event));
    listeners.emit(1);
    listeners.emit(2);
    expect([heard, told]).toEqual([
      [1, 2],
      [wrong, wrong],
    ]);
    callListener(
      () => {
        throw wrong;
      },
      undefined,
      (error) => told.push(error),
    );
    expect(told).toHaveLength(3);
  });

  it('may be added or removed during an event', () => {
    const listeners = new Listeners<number>();
    const heard: string[] = [];
    listeners.add(() => {
      leave();
      listeners.add((event) => heard.push(`new ${event}`));
    });
    const leave = listeners.add((event) => heard.push(`gone ${event}`));
    listeners.emit(1);
    expect(heard).toEqual([]);
    listeners.clear();
    listeners.emit(2);
    expect(heard).toEqual([]);
  });
});

describe('Deque', () => {
  it('behaves like an array under random operations', () => {
    const random = seeded(7);
    const deque = new Deque<number>();
    let plain: number[] = [];
    for (let step = 0; step < randomRuns(20_000); step += 1) {
      const dice = random();
      if (dice < 0.55) {
        deque.push(step);
        plain.push(step);
      } else if (dice < 0.9) {
        expect(deque.shift()).toBe(plain.shift());
      } else if (dice < 0.95) {
        const at = Math.floor(random() * (plain.length + 1));
        deque.set(at, step);
        plain[at] = step;
      } else if (dice < 0.96) {
        const kept = Math.floor(random() * plain.length);
        deque.truncate(kept);
        plain = plain.slice(0, kept);
      }
      expect(deque.length).toBe(plain.length);
      expect(deque.at(0)).toBe(plain[0]);
      expect(deque.at(plain.length - 1)).toBe(plain.at(-1));
      expect(deque.at(-1)).toBeUndefined();
      if (step % 100 === 0) expect([...deque]).toEqual(plain);
    }
  });
});

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

  it('replaces a pending callback on set, and keeps it on setIfIdle', () => {
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
