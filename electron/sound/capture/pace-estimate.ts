/** What was reported so many seconds ago counts a third. */
const memorySeconds = 60;
/** Crystals are off by no more than this as a rule, in milliseconds a second… */
const usualDrift = 0.03;
/** …and never by more. */
const mostDrift = 0.3;
/** Reports that are off are off together for many seconds: so many are worth one. */
const alike = 2000;
/** None is better than this, in milliseconds. */
const leastTremble = 0.05;

/**
 * By how many milliseconds a second a crystal is off: the slope of a straight line through what was reported, and
 * believed as far as the reports keep to a line.
 */
export class PaceEstimate {
  readonly #known: number;
  #weight = 0;
  #seconds = 0;
  #off = 0;
  #spread = 0;
  #slant = 0;
  #height = 0;
  #last = 0;

  /** What is known from before. */
  constructor(known = 0) {
    this.#known = known;
  }

  /** At so many seconds the stream was so many milliseconds later than without a drift. */
  push(seconds: number, off: number): void {
    const faded = Math.exp(-(seconds - this.#last) / memorySeconds);
    this.#last = seconds;
    this.#weight = faded * this.#weight + 1;
    const [x, y] = [seconds - this.#seconds, off - this.#off];
    this.#seconds += x / this.#weight;
    this.#off += y / this.#weight;
    const share = 1 - 1 / this.#weight;
    this.#spread = faded * this.#spread + share * x * x;
    this.#slant = faded * this.#slant + share * x * y;
    this.#height = faded * this.#height + share * y * y;
  }

  /** How far reports are off the line. */
  get tremble(): number {
    return Math.sqrt(this.#rest);
  }

  get drift(): number {
    if (this.#spread === 0) return this.#known;
    const slope = this.#slant / this.#spread;
    const doubt = (alike * Math.max(leastTremble ** 2, this.#rest)) / this.#spread;
    const believed = usualDrift ** 2 / (usualDrift ** 2 + doubt);
    const drift = this.#known + believed * (slope - this.#known);
    return Math.max(-mostDrift, Math.min(mostDrift, drift));
  }

  get #rest(): number {
    if (this.#spread === 0) return 0;
    return Math.max(0, this.#height - this.#slant ** 2 / this.#spread) / this.#weight;
  }
}
