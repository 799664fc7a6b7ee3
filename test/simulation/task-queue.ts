/** Runs slow steps of a world one after another; the first error becomes the run's failure. */
export class TaskQueue {
  #last: Promise<void> = Promise.resolve();
  #working = 0;
  #failure: Error | undefined;

  get isDone(): boolean {
    return this.#working === 0;
  }

  add(work: () => Promise<void>): void {
    this.#working += 1;
    this.#last = this.#last
      .then(work)
      .catch((error: unknown) => {
        this.#fail(error);
      })
      .finally(() => {
        this.#working -= 1;
      });
  }

  /** Reports an error of work that nobody waits for, unless its process has ended. */
  watch(work: Promise<void>, status: { readonly isRunning: boolean }): void {
    work.catch((error: unknown) => {
      if (status.isRunning) this.#fail(error);
    });
  }

  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
  }
}
