import type { Clock } from '../ports/clock.ts';

export interface VirtualClock extends Clock {
  /** Runs what is due, in order and each at its own time, until nothing is left or `until` holds. */
  readonly run: (until?: () => boolean) => Promise<void>;
}

/** How much faster than a real clock time goes; without it there is no waiting at all. */
export interface Pace {
  readonly clock: Clock;
  readonly speed: number;
}

interface Appointment {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that jumps from appointment to appointment, so that a replay is the same every time. */
export function createVirtualClock(pace?: Pace): VirtualClock {
  let time = 0;
  let appointments: readonly Appointment[] = [];

  const earliest = (): Appointment | undefined => {
    let first: Appointment | undefined;
    // Of two for the same moment the one that was made first.
    for (const other of appointments) if (first === undefined || other.at < first.at) first = other;
    return first;
  };

  return {
    now: () => time,
    after: (milliseconds, run) => {
      const appointment = { at: time + milliseconds, run };
      appointments = [...appointments, appointment];
      return () => {
        appointments = appointments.filter((other) => other !== appointment);
      };
    },
    run: async (until = () => false) => {
      const wait = pace === undefined ? undefined : pacer(pace, time);
      for (let next = earliest(); next !== undefined; next = earliest()) {
        if (wait !== undefined) await wait(next.at);
        if (until()) return;
        // Meanwhile it may have been cancelled, or an earlier one been made.
        const due = earliest();
        if (due === undefined) return;
        appointments = appointments.filter((other) => other !== due);
        time = Math.max(time, due.at);
        due.run();
        await settle();
      }
    },
  };
}

/** More than any chain of promises in pure code needs; what waits for the outside is not waited for. */
const longestChain = 32;

async function settle(): Promise<void> {
  for (let turn = 0; turn < longestChain; turn += 1) await Promise.resolve();
}

function pacer({ clock, speed }: Pace, from: number): (time: number) => Promise<void> {
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
