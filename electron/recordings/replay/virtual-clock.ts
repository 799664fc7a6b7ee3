import { type Clock, delay } from '../../../shared/ports/clock.ts';

export interface VirtualClock extends Clock {
  /** Runs due calls in order, each at its own time, until none is left or `until` returns true. */
  readonly run: (until?: () => boolean) => Promise<void>;
}

/** Throttles virtual time to a multiple of a real clock. */
export interface ReplaySpeed {
  readonly clock: Clock;
  readonly speed: number;
}

interface ScheduledCall {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that jumps from one scheduled call to the next, so replays are deterministic. */
export function createVirtualClock(speed?: ReplaySpeed): VirtualClock {
  let time = 0;
  let calls: readonly ScheduledCall[] = [];

  const earliest = (): ScheduledCall | undefined => {
    let first: ScheduledCall | undefined;
    // Calls for the same time run in the order they were scheduled.
    for (const other of calls) if (first === undefined || other.at < first.at) first = other;
    return first;
  };

  return {
    now: () => time,
    after: (milliseconds, run) => {
      const call = { at: time + milliseconds, run };
      calls = [...calls, call];
      return () => {
        calls = calls.filter((other) => other !== call);
      };
    },
    run: async (until = () => false) => {
      const wait = speed === undefined ? undefined : throttle(speed, time);
      for (let next = earliest(); next !== undefined; next = earliest()) {
        if (wait !== undefined) await wait(next.at);
        if (until()) return;
        // While waiting, this call may have been cancelled or an earlier one added.
        const due = earliest();
        if (due === undefined) return;
        calls = calls.filter((other) => other !== due);
        time = Math.max(time, due.at);
        due.run();
        await flushPromises();
      }
    },
  };
}

/** How many microtasks to wait for. The promise chains in pure code are shorter. Real I/O is not awaited. */
const maxPromiseChain = 32;

async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < maxPromiseChain; turn += 1) await Promise.resolve();
}

function throttle({ clock, speed }: ReplaySpeed, from: number): (time: number) => Promise<void> {
  const began = clock.now();
  return async (time) => {
    const waitMs = began + (time - from) / speed - clock.now();
    if (waitMs > 0) await delay(clock, waitMs);
  };
}
