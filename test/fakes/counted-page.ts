import type { Page } from '../../shared/ipc/page.ts';

/** A page that never closes, and counts the callbacks that wait until it closes. */
export class CountedPage implements Page {
  readonly #waiting = new Set<() => void>();
  readonly hasRecentInput = (): boolean => true;

  readonly whenGone = (run: () => void): (() => void) => {
    // A wrapper makes each registration distinct, even of the same function.
    const registration = (): void => {
      run();
    };
    this.#waiting.add(registration);
    return () => {
      this.#waiting.delete(registration);
    };
  };

  get waiting(): number {
    return this.#waiting.size;
  }
}
