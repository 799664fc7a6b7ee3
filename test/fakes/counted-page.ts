import type { Page } from '../../shared/ipc/page.ts';

/** A fake page that never closes. Counts the callbacks that wait for its close. */
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
