/** How a stream's reports are to be taken. */
export interface ClockHabits {
  /** This many first reports say where the stream is… */
  readonly settling: number;
  /** …of which each newer one weighs at least so much. */
  readonly leastWeight: number;
  /** Whether reports that go on being off to one side, and by less than a gap, say that the stream has moved. */
  readonly moves: boolean;
  /** Reports of a stream's first milliseconds, up to this many, are off: the next ones say where it is. */
  readonly youngMs: number;
  /** Farther off than this is a gap and no trembling. */
  readonly gapMs: number;
}

/**
 * A sound server guesses how long a microphone's samples have waited, and is off by milliseconds to and fro, while the
 * samples come as evenly as ever: they are counted, and times believed as far as they are as even.
 */
export const capturedClock: ClockHabits = {
  settling: 50,
  leastWeight: 0,
  moves: false,
  youngMs: 0,
  gapMs: 15,
};
/** A speaker's stream breaks off and begins anew; its first times after that are some milliseconds early. */
export const playedClock: ClockHabits = {
  settling: 8,
  leastWeight: 0.4,
  moves: true,
  youngMs: 40,
  gapMs: 8,
};

/** Off to one side by so much, and by so many times what its times tremble… */
const movedMs = 1.5;
const movedTrembles = 4;
/** …for a fifth of a second. */
const biasGain = 0.2;
/** The times of a stream that has just begun say nothing of its pace. */
const youngReports = 50;
const firstTremble = 0.5;
const trembleGain = 0.02;
/** A line may be off by so many times what its times tremble; what is more is made up for within so many seconds. */
const bearableTrembles = 3;
const pullSeconds = 10;

/**
 * The times of a stream's samples, from reports that tremble: a straight line, because crystals are steadier than
 * times are. An echo is lost where its reference slides by a tenth of a millisecond; by how much the line is off,
 * as long as that stays the same, is part of the way from the loudspeaker.
 */
export class SmoothedClock {
  readonly #period: number;
  readonly #habits: ClockHabits;
  #position: number;
  #time: number;
  #reports = 1;
  #tremble = firstTremble;
  #bias = 0;
  /** In milliseconds a second. */
  #drift = 0;
  #pace: PaceEstimate;
  #seconds = 0;
  /** Where the line would be by its first time and the rate alone. */
  #nominal = 0;

  /** `before` is the line of the same stream before it broke: its crystal is still the same. */
  constructor(
    rate: number,
    position: number,
    time: number,
    habits: ClockHabits,
    before?: SmoothedClock,
  ) {
    this.#period = 1000 / rate;
    this.#position = position;
    this.#time = time;
    this.#habits = habits;
    this.#nominal = time;
    this.#drift = before?.drift ?? 0;
    this.#pace = new PaceEstimate(this.#drift);
  }

  /** By how many milliseconds a second its crystal is off. */
  get drift(): number {
    return this.#drift;
  }

  /** By how many milliseconds the sample is later than it should be. */
  off(position: number, time: number): number {
    return time - this.timeOf(position);
  }

  /** Whether the sample can have been at this time, without a gap since the last report. */
  fits(position: number, time: number): boolean {
    return position >= this.#position && Math.abs(this.off(position, time)) <= this.#habits.gapMs;
  }

  report(position: number, time: number): void {
    const elapsed = (position - this.#position) * this.#period;
    const error = this.off(position, time);
    this.#time = time - error;
    this.#position = position;
    this.#nominal += elapsed;
    const { settling, leastWeight, youngMs } = this.#habits;
    const wasYoung = 1000 * this.#seconds < youngMs;
    this.#seconds += elapsed / 1000;
    this.#reports = wasYoung && 1000 * this.#seconds >= youngMs ? 1 : this.#reports + 1;
    if (this.#reports <= settling) this.#time += error * Math.max(1 / this.#reports, leastWeight);
    else this.#goOn(time, error, elapsed / 1000);
  }

  /** Milliseconds from one sample to the next. */
  get step(): number {
    return this.#period * (1 + this.#drift / 1000);
  }

  timeOf(position: number): number {
    return this.#time + (position - this.#position) * this.step;
  }

  /** The place of a time among the samples, mostly between two. */
  positionAt(time: number): number {
    return this.#position + (time - this.#time) / this.step;
  }

  #goOn(time: number, error: number, elapsed: number): void {
    if (this.#reports > youngReports) {
      this.#pace.push(this.#seconds, time - this.#nominal);
      this.#drift = this.#pace.drift;
    }
    this.#bias += biasGain * (error - this.#bias);
    this.#tremble += trembleGain * (Math.abs(error - this.#bias) - this.#tremble);
    const bearable = bearableTrembles * this.#pace.tremble;
    const beyond = this.#bias - Math.max(-bearable, Math.min(bearable, this.#bias));
    this.#time += (beyond * elapsed) / pullSeconds;
    const moved = Math.abs(this.#bias) > Math.max(movedMs, movedTrembles * this.#tremble);
    if (moved && this.#habits.moves) this.#settleAnew();
  }

  #settleAnew(): void {
    this.#reports = 1;
    this.#bias = 0;
    this.#pace = new PaceEstimate(this.#drift);
  }
}

/** A report this many seconds old counts a third. */
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
class PaceEstimate {
  readonly #known: number;
  #weight = 0;
  #seconds = 0;
  #off = 0;
  #spread = 0;
  #slant = 0;
  #height = 0;
  #last = 0;

  /** The drift known from before. */
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

/** A device's times go back by a block of its own for up to a fifth of a second, and then are right again. */
const soonerLastsMs = 400;
const laterLastsMs = 120;
/** A report that is far off is no such slip… */
const farMs = 30;
const farLastsMs = 60;
/** …and so much says nobody by mistake. */
const certainMs = 200;
/** Reports of the same gap differ by less. */
const alikeMs = 4;

/** Tells a gap in what is captured from times that slip and come back. */
export class GapWatch {
  #off = 0;
  #lasted = 0;

  /** The times fit again. */
  fits(): void {
    this.#lasted = 0;
  }

  /** The next so many milliseconds came so much later than they should; says whether that is a gap by now. */
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
