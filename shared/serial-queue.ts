/**
 * Runs tasks one after the other, in the order they were given. One that rejects harms none after
 * it: whoever gave it learns of that, and where nobody waits for it, it is an unhandled rejection
 * like any other fault.
 */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  run<Value>(task: () => Value | Promise<Value>): Promise<Value> {
    this.#waiting += 1;
    const result = this.#last.then(task).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves once everything that was given has been run, also what was given meanwhile. */
  async settled(): Promise<void> {
    while (this.#waiting > 0) await this.#last;
  }
}
