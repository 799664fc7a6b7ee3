import type { Clock, Random } from '../ports/clock.ts';
import type { ClientSocket } from './gateway.ts';

export interface SendDelay {
  readonly ms: number;
  readonly jitterMs?: number | undefined;
}

/** A line on which everything, goodbyes too, may be late but never out of order. */
export interface Outbox extends ClientSocket {
  /** Nothing that is still on its way goes out any more. */
  readonly stop: () => void;
}

export function openOutbox(
  line: ClientSocket,
  clock: Clock,
  random: Random,
  delay: SendDelay | undefined,
): Outbox {
  let waiting: (() => void)[] = [];
  let cancels: (() => void)[] = [];
  let due = 0;
  let silent = false;

  function schedule(run: () => void): void {
    if (silent) return;
    if (delay === undefined) {
      run();
      return;
    }
    const jitter = (delay.jitterMs ?? 0) * (2 * random() - 1);
    due = Math.max(due, clock.now() + Math.max(0, delay.ms + jitter));
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
      schedule(() => {
        line.send(text);
      });
    },
    sendBinary: (bytes) => {
      schedule(() => {
        line.sendBinary(bytes);
      });
    },
    close: (code, reason) => {
      schedule(() => {
        line.close(code, reason);
      });
    },
    terminate: () => {
      schedule(line.terminate);
    },
    takeLargeMessages: line.takeLargeMessages,
    stop: () => {
      silent = true;
      waiting = [];
      for (const cancel of cancels) cancel();
      cancels = [];
    },
  };
}
