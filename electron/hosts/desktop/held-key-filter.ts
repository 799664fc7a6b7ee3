import type { Clock } from '../../ports/clock.ts';

/** While a key is held a keyboard repeats it 10 times a second or faster. */
const repeatsWithin = 110;
/** How long a keyboard waits before it begins with that, at most. */
const firstRepeatWithin = 1_100;

/**
 * Tells the presses of a key from what a keyboard makes of one that is held, where nobody says when it came
 * up. A press that might be the first repeat of a held key waits for the next one: if that comes, both are.
 */
export class HeldKeyFilter {
  readonly #clock: Clock;
  readonly #press: () => void;
  #lastAt = -Infinity;
  #isRepeating = false;
  #cancelWaiting: (() => void) | undefined;

  constructor(clock: Clock, press: () => void) {
    this.#clock = clock;
    this.#press = press;
  }

  take(): void {
    const gap = this.#clock.now() - this.#lastAt;
    this.#lastAt = this.#clock.now();
    this.stop();
    if (gap <= repeatsWithin) {
      this.#isRepeating = true;
    } else if (this.#isRepeating || gap > firstRepeatWithin) {
      this.#isRepeating = false;
      this.#press();
    } else {
      this.#cancelWaiting = this.#clock.after(repeatsWithin, this.#press);
    }
  }

  /** A press that still waits is none any more. */
  stop(): void {
    this.#cancelWaiting?.();
    this.#cancelWaiting = undefined;
  }
}
