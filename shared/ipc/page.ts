import { Listeners } from '../listeners.ts';

/** The page that sent a request. Work for that page stops when it closes. */
export interface Page {
  /** Calls `run` once when the page closes, or at once if it has closed. The returned function cancels. */
  readonly whenGone: (run: () => void) => () => void;
  /** Whether the user used the page just now, by mouse, key or touch. True if the host cannot tell. */
  readonly hasRecentInput: () => boolean;
}

/** The page of requests that come from the tray, a key or a test. It never closes. */
export const noPage: Page = { whenGone: () => () => undefined, hasRecentInput: () => true };

/** A loaded page. After a reload it is another one. */
export class OpenPage implements Page {
  readonly #listeners = new Listeners<undefined>();
  readonly hasRecentInput: () => boolean;
  #isClosed = false;

  constructor(hasRecentInput: () => boolean = () => true) {
    this.hasRecentInput = hasRecentInput;
  }

  readonly whenGone = (run: () => void): (() => void) => {
    if (this.#isClosed) {
      run();
      return () => undefined;
    }
    return this.#listeners.add(run);
  };

  readonly gone = (): void => {
    this.#isClosed = true;
    this.#listeners.emit(undefined);
    this.#listeners.clear();
  };
}

/** Runs a cleanup when a page closes. `set` replaces the one before, so that callbacks do not accumulate. */
export class PageCleanup {
  #release: () => void = () => undefined;

  set(page: Page, cleanup: () => void): void {
    this.clear();
    this.#release = page.whenGone(cleanup);
  }

  clear(): void {
    this.#release();
    this.#release = () => undefined;
  }
}

/** A task that stops when its page closes. Callers must not run it again while it is running. */
export class StoppableTask {
  #stop: (() => void) | undefined;

  get isRunning(): boolean {
    return this.#stop !== undefined;
  }

  readonly stop = (): void => {
    this.#stop?.();
  };

  /** `work` passes its stop function to `onStoppable`. If a stop was requested before, it is called at once. */
  async run<Value>(
    page: Page,
    work: (onStoppable: (stop: () => void) => void) => Promise<Value>,
  ): Promise<Value> {
    let isStopped = false;
    let stop: (() => void) | undefined;
    this.#stop = () => {
      isStopped = true;
      stop?.();
    };
    const unsubscribe = page.whenGone(this.#stop);
    try {
      return await work((stopWork) => {
        stop = stopWork;
        if (isStopped) stopWork();
      });
    } finally {
      unsubscribe();
      this.#stop = undefined;
    }
  }
}

/** Pages that subscribed to notices, until they unsubscribe or close. */
export class NoticeSubscribers {
  readonly #pages = new Map<Page, () => void>();
  readonly #onEmpty: () => void;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  get hasPages(): boolean {
    return this.#pages.size > 0;
  }

  set(page: Page, on: boolean): void {
    if (!on) this.#leave(page);
    else if (!this.#pages.has(page)) this.#join(page);
  }

  #join(page: Page): void {
    this.#pages.set(page, () => undefined);
    // If the page has closed, `whenGone` calls back at once, and the page is no longer in the map.
    const unsubscribe = page.whenGone(() => this.#leave(page));
    if (this.#pages.has(page)) this.#pages.set(page, unsubscribe);
  }

  #leave(page: Page): void {
    this.#pages.get(page)?.();
    if (this.#pages.delete(page) && !this.hasPages) this.#onEmpty();
  }
}
