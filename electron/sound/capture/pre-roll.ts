/** Pre-roll: the newest samples from before the key, up to a number of them, in memory taken once. */
export class PreRoll {
  readonly #ring: Float32Array;
  #next = 0;
  #held = 0;

  constructor(capacity: number) {
    this.#ring = new Float32Array(capacity);
  }

  get held(): number {
    return this.#held;
  }

  push(block: Float32Array): void {
    const { length } = this.#ring;
    const newest = block.length > length ? block.subarray(block.length - length) : block;
    const first = Math.min(newest.length, length - this.#next);
    this.#ring.set(newest.subarray(0, first), this.#next);
    this.#ring.set(newest.subarray(first), 0);
    this.#next = (this.#next + newest.length) % length;
    this.#held = Math.min(length, this.#held + newest.length);
  }

  /** What is held, the oldest first, good until the next push; holds nothing afterwards. */
  take(): readonly Float32Array[] {
    const from = this.#next - this.#held;
    const held = this.#held;
    this.#held = 0;
    const parts: Float32Array[] = [];
    if (from < 0) parts.push(this.#ring.subarray(from + this.#ring.length));
    if (held > 0 && this.#next > 0) parts.push(this.#ring.subarray(Math.max(0, from), this.#next));
    return parts;
  }

  /** What was held is gone from memory too. */
  forget(): void {
    this.#ring.fill(0);
    this.#held = 0;
  }
}
