import type { Clock } from '../../shared/ports/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that stands still until it is told to go on. */
export class FakeClock implements Clock {
  #time = 0;
  #appointments: readonly Timer[] = [];

  readonly now = (): number => this.#time;

  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    const appointment: Timer = { at: this.#time + milliseconds, run };
    this.#appointments = [...this.#appointments, appointment];
    return () => {
      this.#appointments = this.#appointments.filter((other) => other !== appointment);
    };
  };

  /** Lets time pass; what falls due runs in order, at its own time. */
  advance(milliseconds: number): void {
    const end = this.#time + milliseconds;
    for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
      const due = next;
      this.#appointments = this.#appointments.filter((other) => other !== due);
      this.#time = Math.max(this.#time, due.at);
      due.run();
    }
    this.#time = end;
  }

  #nextUntil(end: number): Timer | undefined {
    return this.#appointments.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
  }
}
