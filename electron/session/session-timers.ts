import type { Clock } from '../ports/clock.ts';
import type { TimerName } from './session-input.ts';

/** SessionTimers by name: starting one again moves it, and a stopped one never runs. */
export class SessionTimers {
  readonly #clock: Clock;
  readonly #cancels = new Map<TimerName, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(name: TimerName, ms: number, run: () => void): void {
    this.stop(name);
    const cancel = this.#clock.after(ms, () => {
      this.#cancels.delete(name);
      run();
    });
    this.#cancels.set(name, cancel);
  }

  stop(name: TimerName): void {
    this.#cancels.get(name)?.();
    this.#cancels.delete(name);
  }

  stopAll(): void {
    for (const name of this.#cancels.keys()) this.stop(name);
  }
}
