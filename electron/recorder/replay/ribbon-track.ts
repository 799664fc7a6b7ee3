/** How loud one voice was, point by point. */
export class RibbonTrack {
  readonly #window: number;
  #energy = new Float32Array(1024);
  #length = 0;

  /** @param window samples of one point */
  constructor(window: number) {
    this.#window = window;
  }

  /** From this place on, in samples since the tape began. */
  put(at: number, samples: Float32Array): void {
    for (let n = 0; n < samples.length;) {
      const point = Math.floor((at + n) / this.#window);
      const until = Math.min(samples.length, (point + 1) * this.#window - at);
      let sum = 0;
      for (; n < until; n += 1) {
        const sample = samples[n] ?? 0;
        if (Math.abs(sample) < Infinity) sum += sample * sample;
      }
      if (sum > 0) this.#add(point, sum);
    }
  }

  /** From 0 for silence to 255 for full scale; the loudest of `each` of ours. */
  points(count: number, each: number): Uint8Array {
    const points = new Uint8Array(count);
    for (let point = 0; point < Math.min(count * each, this.#length); point += 1) {
      const level = Math.max(0, Math.min(1, (this.levelDb(point) + rangeDb) / rangeDb));
      const at = Math.floor(point / each);
      points[at] = Math.max(points[at] ?? 0, Math.round(level * 255));
    }
    return points;
  }

  levelDb(point: number): number {
    const energy = this.#energy[point] ?? 0;
    return energy > 0 ? Math.max(-silenceDb, 10 * Math.log10(energy / this.#window)) : -silenceDb;
  }

  #add(point: number, sum: number): void {
    if (point >= this.#energy.length) {
      const larger = new Float32Array(Math.max(point + 1, this.#energy.length * 2));
      larger.set(this.#energy);
      this.#energy = larger;
    }
    this.#energy[point] = (this.#energy[point] ?? 0) + sum;
    this.#length = Math.max(this.#length, point + 1);
  }
}

const rangeDb = 60;
const silenceDb = 100;
