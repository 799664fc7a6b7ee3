import type { Page } from '../../shared/ipc/page.ts';

/** A page as long as it is shown; its host says when it goes. A page that is loaded anew is another one. */
export class OpenPage implements Page {
  readonly #wishes = new Set<() => void>();
  #gone = false;

  readonly whenGone = (run: () => void): (() => void) => {
    if (this.#gone) {
      run();
      return () => undefined;
    }
    // Its own function, because the same one may be given twice.
    const wish = (): void => {
      run();
    };
    this.#wishes.add(wish);
    return () => {
      this.#wishes.delete(wish);
    };
  };

  readonly gone = (): void => {
    this.#gone = true;
    const wishes = [...this.#wishes];
    this.#wishes.clear();
    for (const wish of wishes) wish();
  };
}
