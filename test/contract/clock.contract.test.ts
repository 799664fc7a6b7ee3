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
  it('advances by the elapsed time', async () => {
    const began = clock.now();
    await pass(30);
    expect(clock.now() - began).toBeGreaterThanOrEqual(29);
  });

  it('runs due timers once, in order', async () => {
    const ran: string[] = [];
    clock.after(30, () => ran.push('later'));
    clock.after(5, () => ran.push('sooner'));
    await pass(60);
    await pass(60);
    expect(ran).toEqual(['sooner', 'later']);
  });

  it('skips a cancelled timer, and tolerates a second cancel', async () => {
    const ran: string[] = [];
    const cancel = clock.after(5, () => ran.push('cancelled'));
    cancel();
    cancel();
    await pass(30);
    expect(ran).toEqual([]);
  });

  it('accepts a timer set by another', async () => {
    const ran: number[] = [];
    clock.after(5, () => {
      clock.after(5, () => ran.push(2));
      ran.push(1);
    });
    await pass(60);
    // The first timer may have been late, which delays the second.
    await pass(60);
    expect(ran).toEqual([1, 2]);
  });
});
