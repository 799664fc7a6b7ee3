import type { Page } from '../../shared/ipc/page.ts';

/** A page that stays, and counts what waits for its end. */
export class CountedPage implements Page {
  readonly #waiting = new Set<() => void>();
  readonly usedJustNow = (): boolean => true;

  readonly whenGone = (run: () => void): (() => void) => {
    // Each is one of its own, also where the same is given twice.
    const one = (): void => {
      run();
    };
    this.#waiting.add(one);
    return () => {
      this.#waiting.delete(one);
    };
  };

  get waiting(): number {
    return this.#waiting.size;
  }
}
