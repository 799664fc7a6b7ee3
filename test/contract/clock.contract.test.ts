import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { FakeClock } from '../fakes/fake-clock.ts';

const fake = new FakeClock();

const clocks: readonly { name: string; clock: Clock; pass: (ms: number) => Promise<void> }[] = [
  {
    name: 'fake clock',
    clock: fake,
    pass: (ms) => {
      fake.advance(ms);
      return Promise.resolve();
    },
  },
  { name: 'system clock', clock: systemClock, pass: (ms) => wait(ms) },
];

describe.each(clocks)('the $name', ({ clock, pass }) => {
  it('goes forward by what has passed', async () => {
    const began = clock.now();
    await pass(30);
    expect(clock.now() - began).toBeGreaterThanOrEqual(29);
  });

  it('runs what is due, in the order of time, and only once', async () => {
    const ran: string[] = [];
    clock.after(30, () => ran.push('later'));
    clock.after(5, () => ran.push('sooner'));
    await pass(60);
    await pass(60);
    expect(ran).toEqual(['sooner', 'later']);
  });

  it('does not run what was cancelled, and a second cancel is harmless', async () => {
    const ran: string[] = [];
    const cancel = clock.after(5, () => ran.push('cancelled'));
    cancel();
    cancel();
    await pass(30);
    expect(ran).toEqual([]);
  });

  it('takes an appointment made by another', async () => {
    const ran: number[] = [];
    clock.after(5, () => {
      clock.after(5, () => ran.push(2));
      ran.push(1);
    });
    await pass(60);
    // The first may have been late, and then the second was made late.
    await pass(60);
    expect(ran).toEqual([1, 2]);
  });
});
