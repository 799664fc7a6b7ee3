import type { Page } from '../../shared/ipc/page.ts';

/** A page as long as it is shown; its host says when it goes. A page that is loaded anew is another one. */
export class OpenPage implements Page {
  readonly #listeners = new Set<() => void>();
  #gone = false;

  readonly whenGone = (run: () => void): (() => void) => {
    if (this.#gone) {
      run();
      return () => undefined;
    }
    // Its own function, because the same one may be given twice.
    const listener = (): void => {
      run();
    };
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  readonly gone = (): void => {
    this.#gone = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  };
}
