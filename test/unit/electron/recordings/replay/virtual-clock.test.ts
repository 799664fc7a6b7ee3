import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../../electron/recordings/replay/virtual-clock.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';

describe('a virtual clock', () => {
  it('jumps from one scheduled call to the next, in order', async () => {
    const clock = createVirtualClock();
    const ran: string[] = [];
    const note = (what: string) => () => ran.push(`${what} at ${clock.now()}`);
    clock.after(5000, note('late'));
    clock.after(10, () => {
      note('first')();
      clock.after(20, note('made on the way'));
      clock.after(0, note('at once'));
    });
    clock.after(10, note('second'));
    const cancel = clock.after(40, note('cancelled'));
    clock.after(35, cancel);
    await clock.run();
    expect(ran).toEqual([
      'first at 10',
      'second at 10',
      'at once at 10',
      'made on the way at 30',
      'late at 5000',
    ]);
  });

  it('never goes back, even for calls in the past', async () => {
    const clock = createVirtualClock();
    const ranAt: number[] = [];
    clock.after(10, () => {
      clock.after(-5, () => ranAt.push(clock.now()));
    });
    await clock.run();
    expect([ranAt, clock.now()]).toEqual([[10], 10]);
  });

  it('stops when its condition is true, and continues with the next run', async () => {
    const clock = createVirtualClock();
    const ran: number[] = [];
    for (const at of [1, 2, 3]) clock.after(at, () => ran.push(at));
    await clock.run(() => ran.length === 2);
    expect(ran).toEqual([1, 2]);
    await clock.run();
    expect(ran).toEqual([1, 2, 3]);
  });

  it('runs pending promises before it jumps', async () => {
    const clock = createVirtualClock();
    const ran: number[] = [];
    clock.after(1, () => {
      const chain = async () => {
        for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
        clock.after(1, () => ran.push(clock.now()));
      };
      void chain();
    });
    clock.after(10, () => ran.push(clock.now()));
    await clock.run();
    expect(ran).toEqual([2, 10]);
  });

  it('can run at a multiple of the speed of a real clock', async () => {
    const real = new FakeClock();
    real.advance(1000);
    const clock = createVirtualClock({ clock: real, speed: 4 });
    const ran: number[] = [];
    for (const at of [400, 800]) clock.after(at, () => ran.push(real.now()));
    const running = clock.run();
    for (let step = 0; step < 5; step += 1) {
      await flushPromises();
      real.advance(50);
    }
    await running;
    expect(ran).toEqual([1100, 1200]);
  });
});
