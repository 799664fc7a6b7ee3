/** Farther off than this is a gap and no trembling; a lost block of 10 ms must be seen as one. */
const gapMs = 8;
/** So many first reports are averaged, which says nothing of the pace yet. */
const firstReports = 50;
/**
 * From then on a report weighs as in the straight line that fits all of them best, and never less than after so
 * many: callbacks tremble by milliseconds, and an echo is lost by a tenth of one.
 */
const mostReports = 2000;
/** Reports that are off to one side by so much for a fifth of a second: the stream is later or sooner than it was. */
const movedMs = 1.5;
const biasGain = 0.2;
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
  #bias = 0;

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
    this.#bias += biasGain * (error - this.#bias);
    if (this.#reports > firstReports && Math.abs(this.#bias) > movedMs)
      this.#reports = firstReports + 1;
    const count = Math.min(this.#reports, mostReports);
    const settled = count > firstReports;
    this.#time = time - error * (1 - (settled ? 4 : 1) / count);
    this.#position = position;
    if (settled && elapsed > 0)
      this.#drift = bounded(this.#drift + ((6 / count ** 2) * error) / elapsed);
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
