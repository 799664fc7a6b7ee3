/** Farther off than this is a gap and no trembling; a lost block of 10 ms must be seen as one. */
const gapMs = 8;
/** How much one report weighs in the long run: callbacks tremble by milliseconds. */
const timeGain = 0.01;
/** The same for the pace; half the square of the other does not swing. */
const paceGain = 5e-5;
/** Crystals are off by less than this. */
const maxDrift = 1e-3;

/**
 * The times of a stream's samples, from reports that tremble: a straight line that follows them
 * slowly, also where the device's clock is faster or slower than ours. One line has no gaps.
 */
export class SmoothedClock {
  readonly #period: number;
  #position: number;
  #time: number;
  #drift = 0;
  #reports = 1;

  constructor(rate: number, position: number, time: number) {
    this.#period = 1000 / rate;
    this.#position = position;
    this.#time = time;
  }

  /** Whether the sample can have been at this time, without a gap since the last report. */
  fits(position: number, time: number): boolean {
    return position >= this.#position && Math.abs(time - this.timeOf(position)) <= gapMs;
  }

  /** Takes a report that fits. */
  report(position: number, time: number): void {
    const elapsed = (position - this.#position) * this.#period;
    const error = time - this.timeOf(position);
    this.#reports += 1;
    // Few reports are averaged, so that the first one's trembling does not stay for seconds.
    this.#time = time - error * (1 - Math.max(timeGain, 1 / this.#reports));
    this.#position = position;
    if (elapsed > 0) this.#drift = bounded(this.#drift + (paceGain * error) / elapsed);
  }

  /** Milliseconds from one sample to the next. */
  get step(): number {
    return this.#period * (1 + this.#drift);
  }

  timeOf(position: number): number {
    return this.#time + (position - this.#position) * this.step;
  }

  /** The place of a time among the samples, mostly between two. */
  positionAt(time: number): number {
    return this.#position + (time - this.#time) / this.step;
  }
}

function bounded(drift: number): number {
  return Math.max(-maxDrift, Math.min(maxDrift, drift));
}
