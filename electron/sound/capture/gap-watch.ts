/** A device's times go back by a block of its own for up to a fifth of a second, and then are right again. */
const soonerLastsMs = 400;
const laterLastsMs = 120;
/** What is far off is no such slip… */
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
