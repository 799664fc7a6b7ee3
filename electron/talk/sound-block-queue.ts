/** Blocks of sound, oldest first. */
export class SoundBlockQueue {
  #parts: Float32Array[] = [];
  #samples = 0;

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  get parts(): readonly Float32Array[] {
    return this.#parts;
  }

  add(part: Float32Array): void {
    this.#parts.push(part);
    this.#samples += part.length;
  }

  takeFirst(): Float32Array | undefined {
    const first = this.#parts.shift();
    this.#samples -= first?.length ?? 0;
    return first;
  }

  set(parts: readonly Float32Array[]): void {
    this.#parts = [...parts];
    this.#samples = parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** Drops the oldest blocks while at least `samples` remain; returns the number of samples dropped. */
  keepNewest(samples: number): number {
    const before = this.#samples;
    let from = 0;
    for (;;) {
      const rest = this.#samples - (this.#parts[from]?.length ?? Infinity);
      if (rest < samples) break;
      this.#samples = rest;
      from += 1;
    }
    if (from > 0) this.#parts.splice(0, from);
    return before - this.#samples;
  }
}
