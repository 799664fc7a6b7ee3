import { describe, expect, it } from 'vitest';
import { Listeners, callListener } from '../../../shared/listeners.ts';

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
