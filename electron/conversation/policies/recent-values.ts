/** The last few hundred values of a kind, in one piece of memory. */
export class RecentValues {
  readonly #ring: Float64Array;
  #count = 0;

  constructor(capacity: number) {
    this.#ring = new Float64Array(capacity);
  }

  add(value: number): void {
    this.#ring[this.#count % this.#ring.length] = value;
    this.#count += 1;
  }

  /** All that there ever were. */
  get count(): number {
    return this.#count;
  }

  /** Those that are kept, ascending; a copy. */
  sorted(): Float64Array {
    return this.#ring.subarray(0, Math.min(this.#count, this.#ring.length)).toSorted();
  }
}
