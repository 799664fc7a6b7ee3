import type { Page } from '../../shared/ipc/page.ts';

/** The pages that want notices of something: until they say otherwise, or go. */
export class WatchingPages {
  readonly #pages = new Map<Page, () => void>();
  readonly #nobodyIsLeft: () => void;

  constructor(nobodyIsLeft: () => void) {
    this.#nobodyIsLeft = nobodyIsLeft;
  }

  get any(): boolean {
    return this.#pages.size > 0;
  }

  set(page: Page, on: boolean): void {
    if (!on) this.#leave(page);
    else if (!this.#pages.has(page)) this.#join(page);
  }

  #join(page: Page): void {
    this.#pages.set(page, () => undefined);
    // At once where it has gone already; then it is not here any more.
    const forget = page.whenGone(() => {
      this.#leave(page);
    });
    if (this.#pages.has(page)) this.#pages.set(page, forget);
  }

  #leave(page: Page): void {
    this.#pages.get(page)?.();
    if (this.#pages.delete(page) && !this.any) this.#nobodyIsLeft();
  }
}
