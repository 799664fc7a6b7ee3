/** Gives sound from a place on, silence where there is none. */
export type ReadSound = (at: number, count: number) => Float32Array;

const hopMs = 15;
/** Half the period of the lowest voice. */
const searchMs = 10;
/** Of the correlation every so many samples are enough: voices have nothing above 4 kHz that matters to it. */
const stride = 3;

/**
 * Sound faster or slower with its pitch kept (WSOLA): overlapping pieces, each taken near where it
 * belongs and just there where it goes on best from the one before.
 */
export class TimeScale {
  readonly #read: ReadSound;
  readonly #speed: number;
  readonly #hop: number;
  readonly #search: number;
  readonly #rising: Float32Array;
  #tail: Float32Array;
  /** Where the next piece belongs. */
  #at: number;
  #previous: number | undefined;

  constructor(rate: number, speed: number, at: number, read: ReadSound) {
    this.#read = read;
    this.#speed = speed;
    this.#at = at;
    this.#hop = Math.round((rate * hopMs) / 1000);
    this.#search = Math.round((rate * searchMs) / 1000);
    this.#rising = Float32Array.from(
      { length: this.#hop },
      (_none, n) => Math.sin(((n + 0.5) / this.#hop) * (Math.PI / 2)) ** 2,
    );
    this.#tail = new Float32Array(this.#hop);
  }

  /** The next 15 ms. */
  next(): Float32Array {
    const hop = this.#hop;
    const from = this.#place();
    const piece = this.#read(from, 2 * hop);
    const sound = this.#tail;
    const tail = new Float32Array(hop);
    for (let n = 0; n < hop; n += 1) {
      const rise = this.#rising[n] ?? 1;
      sound[n] = (sound[n] ?? 0) + (piece[n] ?? 0) * rise;
      tail[n] = (piece[hop + n] ?? 0) * (1 - rise);
    }
    this.#tail = tail;
    this.#previous = from;
    this.#at += hop * this.#speed;
    return sound;
  }

  #place(): number {
    const wanted = Math.round(this.#at);
    if (this.#previous === undefined) return wanted;
    const hop = this.#hop;
    const follows = this.#previous + hop;
    // Nothing goes on better than what really follows.
    if (follows === wanted) return wanted;
    const natural = this.#read(follows, hop);
    const around = this.#read(wanted - this.#search, hop + 2 * this.#search);
    let best = this.#search;
    let most = 0;
    for (let lag = 0; lag <= 2 * this.#search; lag += 1) {
      let product = 0;
      let energy = 1e-9;
      for (let n = 0; n < hop; n += stride) {
        const sample = around[lag + n] ?? 0;
        product += sample * (natural[n] ?? 0);
        energy += sample * sample;
      }
      const likeness = product / Math.sqrt(energy);
      if (likeness > most) {
        most = likeness;
        best = lag;
      }
    }
    return wanted - this.#search + best;
  }
}
