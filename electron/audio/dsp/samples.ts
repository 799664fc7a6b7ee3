/**
 * Replaces samples that are not finite with silence, in place, and returns their number. Drivers produce such samples
 * when a device is removed. Samples above full scale stay: level meter and wire handle clipping.
 */
export function cleanSamples(block: Float32Array): number {
  let invalidCount = 0;
  for (let n = 0; n < block.length; n += 1) {
    if (Number.isFinite(block[n])) continue;
    block[n] = 0;
    invalidCount += 1;
  }
  return invalidCount;
}

/** Works in place. */
export function applyGain(block: Float32Array, gain: number): void {
  if (gain === 1) return;
  for (let n = 0; n < block.length; n += 1) block[n] = (block[n] ?? 0) * gain;
}

/** Length of the shared silent block, which is emitted repeatedly for a longer silence. */
const silenceSamples = 4096;
const zeros = new Float32Array(silenceSamples);

/** Emits exactly this much silence. The blocks are shared and read-only. */
export function emitSilence(samples: number, emit: (block: Float32Array) => void): void {
  for (let remaining = samples; remaining > 0; remaining -= silenceSamples) {
    emit(remaining < silenceSamples ? zeros.subarray(0, remaining) : zeros);
  }
}

/** Short enough to sound like a cut, long enough to avoid a click. */
const fadeMs = 5;

export function fadeLength(rate: number): number {
  return Math.max(1, Math.round((fadeMs * rate) / 1000));
}

/**
 * The rising half of a raised cosine, sampled at mid-sample: the rising and the falling curve add up to 1 everywhere.
 */
export function fadeCurve(length: number): Float32Array {
  // `Float32Array.from` of a length is several times slower, and time-stretch needs a curve for each pitch period that
  // it inserts.
  const curve = new Float32Array(length);
  for (let n = 0; n < length; n += 1) curve[n] = (1 - Math.cos((Math.PI * (n + 0.5)) / length)) / 2;
  return curve;
}

/** Fades in the first 5 ms in place, or the whole block if it is shorter. */
export function fadeIn(block: Float32Array, rate: number): void {
  const curve = fadeCurve(Math.min(block.length, fadeLength(rate)));
  for (let n = 0; n < curve.length; n += 1) block[n] = (block[n] ?? 0) * (curve[n] ?? 0);
}

export function joinSamples(parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/**
 * Writes to a ring buffer and returns the next position. If the block is longer than the ring, only its newest samples
 * are written.
 */
export function writeRing(ring: Float32Array, at: number, block: Float32Array): number {
  const { length } = ring;
  const skipped = Math.max(0, block.length - length);
  const newest = skipped > 0 ? block.subarray(skipped) : block;
  const start = (at + skipped) % length;
  const first = Math.min(newest.length, length - start);
  ring.set(newest.subarray(0, first), start);
  ring.set(newest.subarray(first), 0);
  return (start + newest.length) % length;
}

export function appendToHistory(history: Float32Array, block: Float32Array): void {
  const { length } = history;
  const newest = block.length > length ? block.subarray(block.length - length) : block;
  history.copyWithin(0, newest.length);
  history.set(newest, length - newest.length);
}

/** Blocks of sound, oldest first. */
export class SoundBlockQueue {
  #parts: Float32Array[] = [];
  #samples = 0;

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  get samples(): number {
    return this.#samples;
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

  /** Takes the fewest newest blocks that hold this many samples, oldest first. */
  takeNewest(samples: number): readonly Float32Array[] {
    let from = this.#parts.length;
    for (let taken = 0; taken < samples && from > 0; from -= 1)
      taken += this.#parts[from - 1]?.length ?? 0;
    const newest = this.#parts.splice(from);
    this.#samples -= newest.reduce((sum, { length }) => sum + length, 0);
    return newest;
  }

  /** Drops the block before the `count` newest ones, if there is one. */
  dropBefore(count: number): void {
    if (this.#parts.length <= count) return;
    const [dropped] = this.#parts.splice(-count - 1, 1);
    this.#samples -= dropped?.length ?? 0;
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
