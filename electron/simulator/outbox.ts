import type { Clock, Random } from '../ports/clock.ts';
import type { Line } from './gateway.ts';

export interface Lateness {
  readonly ms: number;
  readonly jitterMs?: number | undefined;
}

/** A line on which everything, goodbyes too, may be late but never out of order. */
export interface Outbox extends Line {
  /** Nothing that is still on its way goes out any more. */
  readonly silence: () => void;
}

export function openOutbox(
  line: Line,
  clock: Clock,
  random: Random,
  late: Lateness | undefined,
): Outbox {
  let waiting: (() => void)[] = [];
  let cancels: (() => void)[] = [];
  let due = 0;
  let silent = false;

  function post(run: () => void): void {
    if (silent) return;
    if (late === undefined) {
      run();
      return;
    }
    const jitter = (late.jitterMs ?? 0) * (2 * random() - 1);
    due = Math.max(due, clock.now() + Math.max(0, late.ms + jitter));
    waiting.push(run);
    // Each timer lets the eldest go, whosever timer it is: timers of one moment may change places.
    cancels.push(
      clock.after(due - clock.now(), () => {
        cancels.shift();
        waiting.shift()?.();
      }),
    );
  }

  return {
    send: (text) => {
      post(() => {
        line.send(text);
      });
    },
    sendBinary: (bytes) => {
      post(() => {
        line.sendBinary(bytes);
      });
    },
    close: (code, reason) => {
      post(() => {
        line.close(code, reason);
      });
    },
    cut: () => {
      post(line.cut);
    },
    silence: () => {
      silent = true;
      waiting = [];
      for (const cancel of cancels) cancel();
      cancels = [];
    },
  };
}
