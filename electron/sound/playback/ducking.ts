import type { Clock } from '../../ports/clock.ts';

/** −12 dB: low enough to be heard over, loud enough to be followed. */
const dippedGain = 0.25;
const stepMs = 5;
const steps = 8;

/** Lowers a volume within 40 ms and raises it again, in steps that the device makes smooth. */
export class Ducking {
  readonly #clock: Clock;
  readonly #set: (gain: number) => void;
  #gain = 1;
  #goal = 1;
  #stop: () => void = () => undefined;

  constructor(clock: Clock, set: (gain: number) => void) {
    this.#clock = clock;
    this.#set = set;
  }

  to(dipped: boolean): void {
    const goal = dipped ? dippedGain : 1;
    if (goal === this.#goal) return;
    this.#goal = goal;
    this.#stop();
    this.#move();
  }

  #move(): void {
    const step = (1 - dippedGain) / steps;
    const way = this.#goal - this.#gain;
    this.#gain = Math.abs(way) <= step ? this.#goal : this.#gain + Math.sign(way) * step;
    this.#set(this.#gain);
    if (this.#gain === this.#goal) return;
    this.#stop = this.#clock.after(stepMs, () => {
      this.#move();
    });
  }
}
