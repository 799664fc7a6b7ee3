/** The part of a clock that a bounded wait needs. */
interface Timer {
  readonly after: (ms: number, run: () => void) => () => void;
}

/**
 * Runs tasks one after the other, in the order they were given. One that rejects harms none after
 * it: whoever gave it learns of that, and where nobody waits for it, it is an unhandled rejection
 * like any other fault.
 */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #closed = false;

  /** Nothing runs and nothing waits. */
  get idle(): boolean {
    return this.#waiting === 0;
  }

  run<Value>(task: () => Value | Promise<Value>): Promise<Value> {
    if (this.#closed) return Promise.reject(new Error('This queue is closed.'));
    this.#waiting += 1;
    const result = this.#last.then(task).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves once everything that was given has been run, also what was given meanwhile. */
  async settled(): Promise<void> {
    while (!this.idle) await this.#last;
  }

  /** Whether everything was run in that time: a device may hang, and a close must not hang with it. */
  async settledWithin(ms: number, timer: Timer): Promise<boolean> {
    let stop: (() => void) | undefined;
    const tooLong = new Promise<boolean>((resolve) => {
      stop = timer.after(ms, () => {
        resolve(false);
      });
    });
    const settled = this.settled().then(() => true);
    try {
      return await Promise.race([settled, tooLong]);
    } finally {
      stop?.();
    }
  }

  /** Takes nothing more; what was given before is still run. */
  close(): Promise<void> {
    this.#closed = true;
    return this.settled();
  }
}
