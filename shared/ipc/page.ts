import { Listeners } from '../listeners.ts';

/** Who asks: a page that can go away. What only it wanted stops then. */
export interface Page {
  /**
   * Runs once when the page goes, at once where it has gone already, unless the returned function is
   * called before.
   */
  readonly whenGone: (run: () => void) => () => void;
  /** Whether the person has just used it, by mouse, key or touch. Where the host cannot tell, it is believed. */
  readonly usedJustNow: () => boolean;
}

/** For who asks without a page: the tray, a key, a test. */
export const noPage: Page = { whenGone: () => () => undefined, usedJustNow: () => true };

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

/** What runs once at a time for a page, and ends with it. */
export class StoppableTask {
  #stop: (() => void) | undefined;

  get goesOn(): boolean {
    return this.#stop !== undefined;
  }

  readonly stop = (): void => {
    this.#stop?.();
  };

  /** `work` says how it is stopped, as soon as it knows; where that was asked for before, it is stopped then. */
  async run<Value>(
    page: Page,
    work: (stoppable: (stop: () => void) => void) => Promise<Value>,
  ): Promise<Value> {
    let stopped = false;
    let stop: (() => void) | undefined;
    this.#stop = () => {
      stopped = true;
      stop?.();
    };
    const stayed = page.whenGone(this.#stop);
    try {
      return await work((how) => {
        stop = how;
        if (stopped) how();
      });
    } finally {
      stayed();
      this.#stop = undefined;
    }
  }
}

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
    const forget = page.whenGone(() => this.#leave(page));
    if (this.#pages.has(page)) this.#pages.set(page, forget);
  }

  #leave(page: Page): void {
    this.#pages.get(page)?.();
    if (this.#pages.delete(page) && !this.any) this.#nobodyIsLeft();
  }
}
