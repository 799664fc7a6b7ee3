/** What is softer is digital silence. */
const leastPower = 1e-9;
/** The room is the softest step of so many. */
const roomSteps = 151;
/** What was loud lately, and how loud it was on the average, is looked for in so many. */
const recentSteps = 101;
/** What is above some 1 kHz counts by itself: each sample less so much of the one before. */
const ofSampleBefore = 0.95;
export const levelFindings = 10;

/** How loud each step of 10 ms is beside what came before it, as a whole and in its high part. */
export class StepLevels {
  readonly values = new Float32Array(levelFindings);
  readonly #whole = new PastLevels();
  readonly #high = new PastLevels();
  #sampleBefore = 0;

  push(step: Float32Array): void {
    let whole = 0;
    let high = 0;
    let before = this.#sampleBefore;
    for (let n = 0; n < step.length; n += 1) {
      const sample = step[n] ?? 0;
      const rise = sample - ofSampleBefore * before;
      whole += sample * sample;
      high += rise * rise;
      before = sample;
    }
    this.#sampleBefore = before;
    const wholeDb = 10 * Math.log10(whole / step.length + leastPower);
    const highDb = 10 * Math.log10(high / step.length + leastPower);
    this.#whole.push(wholeDb);
    this.#high.push(highDb);
    this.#whole.tell(this.values, 0);
    this.#high.tell(this.values, 4);
    this.values[8] = (wholeDb - this.#whole.mean) / 20;
    this.values[9] = (highDb - wholeDb) / 10;
  }

  reset(): void {
    this.#whole.reset();
    this.#high.reset();
    this.#sampleBefore = 0;
  }
}

/** The levels of the last one and a half seconds, the newest last; as if what came before them had been like the first. */
class PastLevels {
  readonly #levels = new Float32Array(roomSteps);
  #begun = false;

  reset(): void {
    this.#begun = false;
  }

  push(level: number): void {
    if (!this.#begun) this.#levels.fill(level);
    this.#begun = true;
    this.#levels.copyWithin(0, 1);
    this.#levels[roomSteps - 1] = level;
  }

  get mean(): number {
    let sum = 0;
    for (let at = roomSteps - recentSteps; at < roomSteps; at += 1) sum += this.#levels[at] ?? 0;
    return sum / recentSteps;
  }

  /** How far the newest is over the room, below the loudest, and above the last and the third before it. */
  tell(into: Float32Array, at: number): void {
    const levels = this.#levels;
    const now = levels[roomSteps - 1] ?? 0;
    let softest = now;
    let loudest = now;
    for (let n = 0; n < roomSteps; n += 1) {
      const level = levels[n] ?? 0;
      if (level < softest) softest = level;
      if (level > loudest && n >= roomSteps - recentSteps) loudest = level;
    }
    into[at] = (now - softest) / 20 - 0.5;
    into[at + 1] = (now - loudest) / 20;
    into[at + 2] = (now - (levels[roomSteps - 2] ?? 0)) / 10;
    into[at + 3] = (now - (levels[roomSteps - 4] ?? 0)) / 10;
  }
}
