import type { Page } from '../../shared/ipc/page.ts';

/**
 * What is to happen when the page goes for which something is kept just now. A page stays for days: what is over must not
 * wait for its end, or all of it stays as long.
 */
export class PageHold {
  #release: () => void = () => undefined;

  /** Instead of what was to happen before. */
  hold(page: Page, gone: () => void): void {
    this.release();
    this.#release = page.whenGone(gone);
  }

  release(): void {
    this.#release();
    this.#release = () => undefined;
  }
}
