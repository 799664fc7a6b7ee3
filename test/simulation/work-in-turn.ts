/** Steps of a world that take their time, one after the other; the first that throws something is what is wrong. */
export class WorkInTurn {
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

  /** What nobody waits for; once its process is gone, it may come to anything. */
  watch(work: Promise<void>, life: { readonly on: boolean }): void {
    work.catch((error: unknown) => {
      if (life.on) this.#fail(error);
    });
  }

  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
  }
}
