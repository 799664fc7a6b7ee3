import { describe, expect, it, vi } from 'vitest';
import { repeatEvery } from '../../../../shared/ports/clock.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';

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
