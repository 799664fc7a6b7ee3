/** What a piece of work came to, or that a newer one took its place before it began. */
export type LatestOnlyResult<Result> =
  | { readonly done: true; readonly result: Result }
  | { readonly done: false };

/** Works on one thing at a time. While it does, only the newest of what comes waits. */
export class LatestOnlyQueue<Item, Result> {
  readonly #work: (item: Item) => Promise<Result>;
  #waiting: { readonly item: Item; readonly settle: (begin: boolean) => void } | undefined;
  #busy = false;

  constructor(work: (item: Item) => Promise<Result>) {
    this.#work = work;
  }

  async take(item: Item): Promise<LatestOnlyResult<Result>> {
    if (this.#busy && !(await this.#turnFor(item))) return { done: false };
    this.#busy = true;
    try {
      return { done: true, result: await this.#work(item) };
    } finally {
      // Stays busy where another waits: it begins before anything that comes now.
      this.#busy = this.#waiting !== undefined;
      this.#waiting?.settle(true);
      this.#waiting = undefined;
    }
  }

  #turnFor(item: Item): Promise<boolean> {
    this.#waiting?.settle(false);
    return new Promise((settle) => {
      this.#waiting = { item, settle };
    });
  }
}
