import type { Clock } from '../../../shared/ports/clock.ts';

export interface VirtualClock extends Clock {
  /** Runs what is due, in order and each at its own time, until nothing is left or `until` holds. */
  readonly run: (until?: () => boolean) => Promise<void>;
}

/** How much faster than a real clock time goes; without it there is no waiting at all. */
export interface ReplaySpeed {
  readonly clock: Clock;
  readonly speed: number;
}

interface ScheduledCall {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that jumps from appointment to appointment, so that a replay is the same every time. */
export function createVirtualClock(speed?: ReplaySpeed): VirtualClock {
  let time = 0;
  let calls: readonly ScheduledCall[] = [];

  const earliest = (): ScheduledCall | undefined => {
    let first: ScheduledCall | undefined;
    // Of two for the same moment the one that was made first.
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
        // Meanwhile it may have been cancelled, or an earlier one been made.
        const due = earliest();
        if (due === undefined) return;
        calls = calls.filter((other) => other !== due);
        time = Math.max(time, due.at);
        due.run();
        await settle();
      }
    },
  };
}

/** More than any chain of promises in pure code needs; what waits for the outside is not waited for. */
const maxPromiseChain = 32;

async function settle(): Promise<void> {
  for (let turn = 0; turn < maxPromiseChain; turn += 1) await Promise.resolve();
}

function throttle({ clock, speed }: ReplaySpeed, from: number): (time: number) => Promise<void> {
  const began = clock.now();
  return async (time) => {
    const rest = began + (time - from) / speed - clock.now();
    if (rest > 0) {
      await new Promise<void>((resolve) => {
        clock.after(rest, resolve);
      });
    }
  };
}
