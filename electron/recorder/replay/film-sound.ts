/** Of 16 bit, which is more than is heard, a second a page, and none where it is silent. */
export class FilmSound {
  readonly rate: number;
  readonly #pages = new Map<number, Int16Array>();

  constructor(rate: number) {
    this.rate = rate;
  }

  /** Puts sound to its place, in samples since the tape began. */
  put(at: number, samples: Float32Array): void {
    for (let n = 0; n < samples.length; n += 1) {
      const sample = samples[n] ?? 0;
      if (sample === 0 || !Number.isFinite(sample)) continue;
      const place = at + n;
      const index = Math.floor(place / this.rate);
      const page = this.#pages.get(index) ?? this.#newPage(index);
      page[place - index * this.rate] = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
    }
  }

  /** Adds what stands there to the samples. */
  addTo(into: Float32Array, at: number): void {
    for (let n = 0; n < into.length;) {
      const place = at + n;
      const index = Math.floor(place / this.rate);
      const count = Math.min(into.length - n, (index + 1) * this.rate - place);
      const page = this.#pages.get(index);
      const from = place - index * this.rate;
      if (page !== undefined)
        for (let k = 0; k < count; k += 1)
          into[n + k] = (into[n + k] ?? 0) + (page[from + k] ?? 0) / 32_767;
      n += count;
    }
  }

  #newPage(index: number): Int16Array {
    const page = new Int16Array(this.rate);
    this.#pages.set(index, page);
    return page;
  }
}
