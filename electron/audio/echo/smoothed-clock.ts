/** How the timestamps of a stream behave. */
export interface TimestampTraits {
  /** How many of the first reports set the position; if `minWeight` is 0, their average does. */
  readonly settlingReports: number;
  /** While the position settles, each report corrects at least this share of the error. */
  readonly minWeight: number;
  /** Whether a steady bias that is smaller than a gap means that the stream has shifted. */
  readonly canShift: boolean;
  /** Reports from a stream's first milliseconds are wrong; the next ones determine the position. */
  readonly startupMs: number;
  readonly gapMs: number;
}

/**
 * A sound server guesses capture times, with jitter. Samples are regular, so after the first reports this clock counts
 * them.
 */
export const capturedClock: TimestampTraits = {
  settlingReports: 50,
  minWeight: 0,
  canShift: false,
  startupMs: 0,
  gapMs: 15,
};
/** A speaker stream can break off and restart; its first timestamps after that are some milliseconds early. */
export const playedClock: TimestampTraits = {
  settlingReports: 8,
  minWeight: 0.4,
  canShift: true,
  startupMs: 40,
  gapMs: 8,
};

/** A bias is a shift if it exceeds both `shiftMs` and `shiftJitters` times the jitter. */
const shiftMs = 1.5;
const shiftJitters = 4;
/** Smoothing of the bias over some five reports. */
const biasGain = 0.2;
/** Fewer reports do not show the drift of a new stream. */
const minDriftReports = 50;
const initialJitter = 0.5;
const jitterGain = 0.02;
/** Tolerated bias, in multiples of the jitter. The excess is corrected with a time constant of `pullSeconds`. */
const toleratedJitters = 3;
const pullSeconds = 10;

/**
 * Converts between sample positions and times. It fits a line to jittery timestamps, because a device's crystal is more
 * regular than they are. Echo cancellation fails if the reference drifts by 0.1 ms. A constant offset does no harm,
 * because it becomes part of the echo path.
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
  #driftEstimate: DriftEstimate;
  #seconds = 0;
  /** Time of `#position` by the first report and the nominal rate. */
  #nominalTime = 0;

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
    this.#nominalTime = time;
    this.#drift = before?.drift ?? 0;
    this.#driftEstimate = new DriftEstimate(this.#drift);
  }

  /** Drift of the stream's crystal, in milliseconds per second. */
  get drift(): number {
    return this.#drift;
  }

  /** Deviation of a report from the clock, in milliseconds; positive is late. */
  deviation(position: number, time: number): number {
    return time - this.timeOf(position);
  }

  /** Whether a report continues the stream without a gap. */
  fits(position: number, time: number): boolean {
    return (
      position >= this.#position && Math.abs(this.deviation(position, time)) <= this.#traits.gapMs
    );
  }

  report(position: number, time: number): void {
    const elapsed = (position - this.#position) * this.#period;
    const error = this.deviation(position, time);
    this.#time = time - error;
    this.#position = position;
    this.#nominalTime += elapsed;
    const { settlingReports, minWeight, startupMs } = this.#traits;
    const wasStartingUp = 1000 * this.#seconds < startupMs;
    this.#seconds += elapsed / 1000;
    this.#reports = wasStartingUp && 1000 * this.#seconds >= startupMs ? 1 : this.#reports + 1;
    if (this.#reports <= settlingReports)
      this.#time += error * Math.max(1 / this.#reports, minWeight);
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
    if (this.#reports > minDriftReports) {
      this.#driftEstimate.push(this.#seconds, time - this.#nominalTime);
      this.#drift = this.#driftEstimate.drift;
    }
    this.#bias += biasGain * (error - this.#bias);
    this.#jitter += jitterGain * (Math.abs(error - this.#bias) - this.#jitter);
    const toleratedBias = toleratedJitters * this.#driftEstimate.jitter;
    const excess = this.#bias - Math.max(-toleratedBias, Math.min(toleratedBias, this.#bias));
    this.#time += (excess * elapsed) / pullSeconds;
    const hasShifted = Math.abs(this.#bias) > Math.max(shiftMs, shiftJitters * this.#jitter);
    if (hasShifted && this.#traits.canShift) this.#resettle();
  }

  #resettle(): void {
    this.#reports = 1;
    this.#bias = 0;
    this.#driftEstimate = new DriftEstimate(this.#drift);
  }
}

/** A report of this age has a weight of 1/e. */
const decaySeconds = 60;
/** Typical drift of crystals, in milliseconds per second. */
const typicalDrift = 0.03;
/** The limit of a drift, in milliseconds per second. */
const maxDrift = 0.3;
/** Timestamp errors correlate for many seconds, so this many reports count as one. */
const correlatedReports = 2000;
/** Minimum jitter, in milliseconds. */
const minJitter = 0.05;

/**
 * Estimates a crystal's drift as the slope of a linear regression over the reports, with fading weights. The more
 * the reports scatter, the closer the estimate stays to the prior.
 */
class DriftEstimate {
  readonly #prior: number;
  #weight = 0;
  #seconds = 0;
  #meanDeviation = 0;
  #variance = 0;
  #covariance = 0;
  #deviationVariance = 0;
  #lastSeconds = 0;

  constructor(prior = 0) {
    this.#prior = prior;
  }

  /** Adds a report: at `seconds`, the stream was `deviation` milliseconds later than without drift. */
  push(seconds: number, deviation: number): void {
    const decay = Math.exp(-(seconds - this.#lastSeconds) / decaySeconds);
    this.#lastSeconds = seconds;
    this.#weight = decay * this.#weight + 1;
    const [x, y] = [seconds - this.#seconds, deviation - this.#meanDeviation];
    this.#seconds += x / this.#weight;
    this.#meanDeviation += y / this.#weight;
    const share = 1 - 1 / this.#weight;
    this.#variance = decay * this.#variance + share * x * x;
    this.#covariance = decay * this.#covariance + share * x * y;
    this.#deviationVariance = decay * this.#deviationVariance + share * y * y;
  }

  get jitter(): number {
    return Math.sqrt(this.#residualVariance);
  }

  get drift(): number {
    if (this.#variance === 0) return this.#prior;
    const slope = this.#covariance / this.#variance;
    const slopeVariance =
      (correlatedReports * Math.max(minJitter ** 2, this.#residualVariance)) / this.#variance;
    const trust = typicalDrift ** 2 / (typicalDrift ** 2 + slopeVariance);
    const drift = this.#prior + trust * (slope - this.#prior);
    return Math.max(-maxDrift, Math.min(maxDrift, drift));
  }

  get #residualVariance(): number {
    if (this.#variance === 0) return 0;
    return (
      Math.max(0, this.#deviationVariance - this.#covariance ** 2 / this.#variance) / this.#weight
    );
  }
}

/**
 * A deviation to earlier times must last longer: timestamps can jump back by one block for up to 200 ms, and then
 * recover.
 */
const earlyDurationMs = 400;
const lateDurationMs = 120;
/** A large deviation is confirmed sooner. */
const largeMs = 30;
const largeDurationMs = 60;
/** A deviation this large is confirmed immediately. */
const certainMs = 200;
/** Deviations of the same gap differ by less. */
const sameGapMs = 4;

/** Tells a gap in captured sound from a temporary error of timestamps. */
export class GapDetector {
  #deviationMs = 0;
  #durationMs = 0;

  /** Forgets the deviation, because timestamps match again. */
  reset(): void {
    this.#durationMs = 0;
  }

  /** Takes the deviation of the next `lengthMs`; returns whether it is a gap by now. */
  isGap(deviationMs: number, lengthMs: number): boolean {
    if (Math.abs(deviationMs - this.#deviationMs) > sameGapMs) this.#durationMs = 0;
    this.#deviationMs = deviationMs;
    this.#durationMs += lengthMs;
    const magnitude = Math.abs(deviationMs);
    if (magnitude >= certainMs) return true;
    if (magnitude >= largeMs) return this.#durationMs >= largeDurationMs;
    return this.#durationMs >= (deviationMs > 0 ? lateDurationMs : earlyDurationMs);
  }
}
