/** How the reports of a stream behave. */
export interface TimestampTraits {
  /** This many first reports determine the position. */
  readonly settling: number;
  readonly minWeight: number;
  /** Whether a steady bias below the gap limit means that the stream has shifted. */
  readonly moves: boolean;
  /** Reports from a stream's first milliseconds are wrong; the next ones determine the position. */
  readonly startupMs: number;
  readonly gapMs: number;
}

/** A sound server guesses capture times with jitter; samples are regular, so this clock counts them. */
export const capturedClock: TimestampTraits = {
  settling: 50,
  minWeight: 0,
  moves: false,
  startupMs: 0,
  gapMs: 15,
};
/** A speaker stream can break off and restart; its first timestamps after that are some milliseconds early. */
export const playedClock: TimestampTraits = {
  settling: 8,
  minWeight: 0.4,
  moves: true,
  startupMs: 40,
  gapMs: 8,
};

/** Bias that counts as a shift: this much, and this many times the jitter. */
const shiftMs = 1.5;
const shiftJitters = 4;
/** Smoothing of the bias over a fifth of a second. */
const biasGain = 0.2;
/** A new stream's timestamps do not show its drift yet. */
const youngReports = 50;
const initialJitter = 0.5;
const jitterGain = 0.02;
/** Allowed bias in multiples of the jitter; the excess is corrected within this many seconds. */
const toleratedJitters = 3;
const pullSeconds = 10;

/**
 * Converts between sample positions and times by fitting a line to jittery timestamps, because crystals are more
 * stable. Echo cancellation fails if the reference drifts by 0.1 ms; a constant offset is harmless, because it is
 * part of the echo path.
 */
export class SmoothedClock {
  readonly #period: number;
  readonly #traits: TimestampTraits;
  #position: number;
  #time: number;
  #reports = 1;
  #jitter = initialJitter;
  #bias = 0;
  /** In milliseconds per second. */
  #drift = 0;
  #pace: PaceEstimate;
  #seconds = 0;
  /** Time according to the first report and the nominal rate. */
  #nominal = 0;

  /** `before` is the clock of the same stream before a break; its drift still applies. */
  constructor(
    rate: number,
    position: number,
    time: number,
    traits: TimestampTraits,
    before?: SmoothedClock,
  ) {
    this.#period = 1000 / rate;
    this.#position = position;
    this.#time = time;
    this.#traits = traits;
    this.#nominal = time;
    this.#drift = before?.drift ?? 0;
    this.#pace = new PaceEstimate(this.#drift);
  }

  /** Drift of the stream's crystal, in milliseconds per second. */
  get drift(): number {
    return this.#drift;
  }

  /** Deviation of a report from the clock, in milliseconds; positive is late. */
  off(position: number, time: number): number {
    return time - this.timeOf(position);
  }

  /** Whether a report continues the stream without a gap. */
  fits(position: number, time: number): boolean {
    return position >= this.#position && Math.abs(this.off(position, time)) <= this.#traits.gapMs;
  }

  report(position: number, time: number): void {
    const elapsed = (position - this.#position) * this.#period;
    const error = this.off(position, time);
    this.#time = time - error;
    this.#position = position;
    this.#nominal += elapsed;
    const { settling, minWeight, startupMs } = this.#traits;
    const wasYoung = 1000 * this.#seconds < startupMs;
    this.#seconds += elapsed / 1000;
    this.#reports = wasYoung && 1000 * this.#seconds >= startupMs ? 1 : this.#reports + 1;
    if (this.#reports <= settling) this.#time += error * Math.max(1 / this.#reports, minWeight);
    else this.#track(time, error, elapsed / 1000);
  }

  get step(): number {
    return this.#period * (1 + this.#drift / 1000);
  }

  timeOf(position: number): number {
    return this.#time + (position - this.#position) * this.step;
  }

  /** Position at a time; usually fractional. */
  positionAt(time: number): number {
    return this.#position + (time - this.#time) / this.step;
  }

  #track(time: number, error: number, elapsed: number): void {
    if (this.#reports > youngReports) {
      this.#pace.push(this.#seconds, time - this.#nominal);
      this.#drift = this.#pace.drift;
    }
    this.#bias += biasGain * (error - this.#bias);
    this.#jitter += jitterGain * (Math.abs(error - this.#bias) - this.#jitter);
    const tolerated = toleratedJitters * this.#pace.jitter;
    const excess = this.#bias - Math.max(-tolerated, Math.min(tolerated, this.#bias));
    this.#time += (excess * elapsed) / pullSeconds;
    const moved = Math.abs(this.#bias) > Math.max(shiftMs, shiftJitters * this.#jitter);
    if (moved && this.#traits.moves) this.#resettle();
  }

  #resettle(): void {
    this.#reports = 1;
    this.#bias = 0;
    this.#pace = new PaceEstimate(this.#drift);
  }
}

/** A report of this age has a weight of 1/e. */
const memorySeconds = 60;
/** Typical drift of crystals, in milliseconds per second. */
const usualDrift = 0.03;
/** The limit of a drift, in milliseconds per second. */
const mostDrift = 0.3;
/** Timestamp errors correlate for many seconds, so this many reports count as one. */
const correlatedReports = 2000;
/** Minimum jitter, in milliseconds. */
const minJitter = 0.05;

/** Estimates a crystal's drift as the slope of a line through the reports; scatter reduces its weight. */
class PaceEstimate {
  readonly #prior: number;
  #weight = 0;
  #seconds = 0;
  #off = 0;
  #variance = 0;
  #covariance = 0;
  #offVariance = 0;
  #last = 0;

  constructor(prior = 0) {
    this.#prior = prior;
  }

  /** At `seconds`, the stream was `off` milliseconds later than without drift. */
  push(seconds: number, off: number): void {
    const faded = Math.exp(-(seconds - this.#last) / memorySeconds);
    this.#last = seconds;
    this.#weight = faded * this.#weight + 1;
    const [x, y] = [seconds - this.#seconds, off - this.#off];
    this.#seconds += x / this.#weight;
    this.#off += y / this.#weight;
    const share = 1 - 1 / this.#weight;
    this.#variance = faded * this.#variance + share * x * x;
    this.#covariance = faded * this.#covariance + share * x * y;
    this.#offVariance = faded * this.#offVariance + share * y * y;
  }

  get jitter(): number {
    return Math.sqrt(this.#residualVariance);
  }

  get drift(): number {
    if (this.#variance === 0) return this.#prior;
    const slope = this.#covariance / this.#variance;
    const doubt =
      (correlatedReports * Math.max(minJitter ** 2, this.#residualVariance)) / this.#variance;
    const believed = usualDrift ** 2 / (usualDrift ** 2 + doubt);
    const drift = this.#prior + believed * (slope - this.#prior);
    return Math.max(-mostDrift, Math.min(mostDrift, drift));
  }

  get #residualVariance(): number {
    if (this.#variance === 0) return 0;
    return Math.max(0, this.#offVariance - this.#covariance ** 2 / this.#variance) / this.#weight;
  }
}

/** A device's timestamps can jump back by one of its blocks for up to 200 ms, and then recover. */
const soonerLastsMs = 400;
const laterLastsMs = 120;
/** A large deviation is confirmed sooner. */
const farMs = 30;
const farLastsMs = 60;
/** A deviation this large is confirmed immediately. */
const certainMs = 200;
/** Reports of the same gap differ by less. */
const alikeMs = 4;

/** Distinguishes a gap in captured sound from a temporary error of timestamps. */
export class GapDetector {
  #off = 0;
  #lasted = 0;

  /** Timestamps match again. */
  reset(): void {
    this.#lasted = 0;
  }

  /** Takes the deviation of the next `lengthMs`; returns whether it is a gap by now. */
  isGap(offMs: number, lengthMs: number): boolean {
    if (Math.abs(offMs - this.#off) > alikeMs) this.#lasted = 0;
    this.#off = offMs;
    this.#lasted += lengthMs;
    const size = Math.abs(offMs);
    if (size >= certainMs) return true;
    if (size >= farMs) return this.#lasted >= farLastsMs;
    return this.#lasted >= (offMs > 0 ? laterLastsMs : soonerLastsMs);
  }
}
