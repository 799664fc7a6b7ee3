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
