/** Monotonic time in milliseconds, from an arbitrary origin. */
export interface Clock {
  readonly now: () => number;
  /** Runs once after the delay. The returned function cancels. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

/** Milliseconds since 1970, for display. Users can change the clock, so it must not measure intervals. */
export type WallClock = () => number;

/** Random numbers in [0, 1). Tests pass a seeded sequence. */
export type Random = () => number;

export function delay(clock: Pick<Clock, 'after'>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
}

/** Whether the promise resolves in time. Rejects if the promise rejects in time. */
export async function settlesWithin(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
  promise: Promise<unknown>,
): Promise<boolean> {
  let cancel: (() => void) | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    cancel = clock.after(milliseconds, () => {
      resolve(false);
    });
  });
  const isSettled = await Promise.race([promise.then(() => true), timeout]);
  cancel?.();
  return isSettled;
}

/** A single pending callback that can be rescheduled or cancelled. */
export class Timer {
  readonly #clock: Pick<Clock, 'after'>;
  #cancel: (() => void) | undefined;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  get isSet(): boolean {
    return this.#cancel !== undefined;
  }

  /** Replaces a pending callback. */
  set(milliseconds: number, run: () => void): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(milliseconds, () => {
      this.#cancel = undefined;
      run();
    });
  }

  /** Does nothing if a callback is pending. */
  setIfIdle(milliseconds: number, run: () => void): void {
    if (!this.isSet) this.set(milliseconds, run);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/** Calls `run` until it returns `done`, or until the returned function is called. Continues if it throws. */
export function repeatEvery(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
  run: () => 'done' | undefined,
): () => void {
  let isCancelled = false;
  let cancel = clock.after(milliseconds, wake);
  function wake(): void {
    let result: 'done' | undefined;
    try {
      result = run();
    } finally {
      if (!isCancelled && result !== 'done') cancel = clock.after(milliseconds, wake);
    }
  }
  return () => {
    isCancelled = true;
    cancel();
  };
}

/**
 * Wall-clock time that advances with the monotonic clock. Intervals in a talk stay correct, as on its tape, if the
 * user changes the system time.
 */
export function createMonotonicWallClock(clock: Pick<Clock, 'now'>, wallNow: WallClock): WallClock {
  const start = clock.now();
  const wallStart = wallNow();
  return () => Math.round(wallStart + clock.now() - start);
}

/** A random id of 80 bits, valid as a file name on every system. */
export function makeRandomId(random: Random): string {
  let id = '';
  while (id.length < 16) id += Math.floor(random() * 32).toString(32);
  return id;
}
