import { Listeners } from '../../shared/listeners.ts';
import type { Page } from '../../shared/ipc/page.ts';

/** A page as long as it is shown; its host says when it goes. A page that is loaded anew is another one. */
export class OpenPage implements Page {
  readonly #listeners = new Listeners<undefined>();
  readonly usedJustNow: () => boolean;
  #gone = false;

  constructor(usedJustNow: () => boolean = () => true) {
    this.usedJustNow = usedJustNow;
  }

  readonly whenGone = (run: () => void): (() => void) => {
    if (this.#gone) {
      run();
      return () => undefined;
    }
    return this.#listeners.add(run);
  };

  readonly gone = (): void => {
    this.#gone = true;
    this.#listeners.emit(undefined);
    this.#listeners.clear();
  };
}
