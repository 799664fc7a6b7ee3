import type { Clock } from '../../shared/ports/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that moves only when a test advances it. */
export class FakeClock implements Clock {
  #time = 0;
  #timers: readonly Timer[] = [];

  readonly now = (): number => this.#time;

  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    const timer: Timer = { at: this.#time + milliseconds, run };
    this.#timers = [...this.#timers, timer];
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  /** How many timers have not run. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Advances the time. Timers run in order, each at its own time. */
  advance(milliseconds: number): void {
    const end = this.#time + milliseconds;
    for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
      const due = next;
      this.#timers = this.#timers.filter((other) => other !== due);
      this.#time = Math.max(this.#time, due.at);
      due.run();
    }
    this.#time = end;
  }

  #nextUntil(end: number): Timer | undefined {
    return this.#timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
  }
}
