/** A block is not a whole number of periods, so that every lost block breaks the phase. */
const toneHz = 433.7;
const toneLevel = 0.5;

const loud = 0.02;
/** A sine obeys x[n+1] + x[n-1] = 2 cos(w) x[n]; one sample lost or doubled breaks it by more. */
const breaks = 0.004;
/** In ms: a stall of the sound server reaches all its sinks within this time, because their buffers differ. */
const sharedWithinMs = 500;

export class Tone {
  #at = 0;
  readonly #step: number;

  constructor(rate: number) {
    this.#step = (2 * Math.PI * toneHz) / rate;
  }

  next(count: number): Float32Array {
    const from = this.#at;
    this.#at += count;
    return Float32Array.from(
      { length: count },
      (_, index) => toneLevel * Math.sin(((from + index) * this.#step) % (2 * Math.PI)),
    );
  }
}

/** Analyses an arriving tone: start and end, breaks, and level. */
export class ToneWatch {
  /** Arrival of the first and last block with sound. */
  began: number | undefined;
  ended: number | undefined;
  /** Arrival of the block of each break. */
  breakTimes: number[] = [];
  /** Samples of silence within the tone. */
  missing = 0;
  samples = 0;
  #squares = 0;
  #silent = 0;
  #sinceBreak = 0;
  #one = 0;
  #two = 0;
  readonly #rate: number;
  readonly #factor: number;

  constructor(rate: number) {
    this.#rate = rate;
    this.#factor = 2 * Math.cos((2 * Math.PI * toneHz) / rate);
  }

  reset(): void {
    this.began = undefined;
    this.ended = undefined;
    this.breakTimes = [];
    [this.missing, this.samples] = [0, 0];
    [this.#squares, this.#silent, this.#sinceBreak] = [0, 0, 0];
  }

  get breaks(): number {
    return this.breakTimes.length;
  }

  /** Breaks without a simultaneous break in `other`, which the rig did not cause. */
  breaksWithout(other: ToneWatch): number {
    const isShared = (at: number): boolean =>
      other.breakTimes.some((theirs) => Math.abs(theirs - at) < sharedWithinMs);
    return this.breakTimes.filter((at) => !isShared(at)).length;
  }

  get level(): number {
    return 10 * Math.log10((this.#squares / this.samples / (toneLevel * toneLevel)) * 2);
  }

  push(block: Float32Array, at: number): void {
    for (const sample of block) {
      const residue = Math.abs(sample - this.#factor * this.#one + this.#two);
      this.#two = this.#one;
      this.#one = sample;
      this.#sinceBreak += 1;
      if (Math.abs(sample) < loud) {
        this.#silent += 1;
      } else {
        // Silence counts from half a period on, because the tone crosses zero.
        if (this.began !== undefined && this.#silent > this.#rate / toneHz / 2) {
          this.missing += this.#silent;
        }
        this.#silent = 0;
        this.began ??= at;
        this.ended = at;
      }
      if (this.began === undefined) continue;
      this.samples += 1;
      this.#squares += sample * sample;
      // Fades are not breaks; the silence beside them excludes them.
      if (residue < breaks || this.samples < this.#rate / 50) continue;
      if (this.#sinceBreak > this.#rate / 200) this.breakTimes.push(at);
      this.#sinceBreak = 0;
    }
  }
}
