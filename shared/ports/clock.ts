/** Time as the core sees it: monotonic milliseconds from an origin of the clock's choice. */
export interface Clock {
  readonly now: () => number;
  /** Runs once after the delay, unless the returned function is called before. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

/** Milliseconds since 1970, as the machine's own clock has them: for people to read, never to measure. */
export type WallClock = () => number;

/** Numbers from 0 up to but not including 1: dice in use, a seeded sequence in tests. */
export type Random = () => number;

/** Resolves after the delay. */
export function passed(clock: Pick<Clock, 'after'>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
}

/** Something that is to be done once its time comes, unless it is put off or called off before. */
export class Timer {
  readonly #clock: Pick<Clock, 'after'>;
  #cancel: (() => void) | undefined;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  get isSet(): boolean {
    return this.#cancel !== undefined;
  }

  /** What it was set to before is not done any more. */
  set(milliseconds: number, run: () => void): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(milliseconds, () => {
      this.#cancel = undefined;
      run();
    });
  }

  /** What it is set to already comes first, and this is left out. */
  setOnce(milliseconds: number, run: () => void): void {
    if (!this.isSet) this.set(milliseconds, run);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/**
 * Runs again and again until it says `done`, or the returned function is called. A run that throws is
 * followed by the next all the same: sound goes on after a fault, and the fault comes up beside it.
 */
export function repeatEvery(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
  run: () => 'done' | undefined,
): () => void {
  let stopped = false;
  let cancel = clock.after(milliseconds, wake);
  function wake(): void {
    let result: 'done' | undefined;
    try {
      result = run();
    } finally {
      if (!stopped && result !== 'done') cancel = clock.after(milliseconds, wake);
    }
  }
  return () => {
    stopped = true;
    cancel();
  };
}

/**
 * The calendar's time as of now, which goes on by the clock that nobody sets: what happens in a talk is as long after its
 * beginning as it was, like on its tape, whatever becomes of the calendar meanwhile.
 */
export function steadyCalendar(clock: Pick<Clock, 'now'>, wallNow: WallClock): WallClock {
  const from = clock.now();
  const begunAt = wallNow();
  return () => Math.round(begunAt + clock.now() - from);
}
