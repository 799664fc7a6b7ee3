/** How loud it was for a twentieth of a second; a square wave of full scale has 0 dBFS. */
export interface LevelReading {
  readonly rmsDb: number;
  readonly peakDb: number;
  /** Samples at full scale or beyond: what a converter clipped. */
  readonly clipped: number;
}

const readingsPerSecond = 20;
/** Nothing is quieter: silence has no logarithm, and no bar shows it. */
const floorDb = -100;
/** The largest that a 16-bit converter has: that is where most microphones clip. */
const fullScale = 32_767 / 32_768;

/**
 * Tells the level 20 times a second of sound, however it is cut into blocks. Takes clean samples
 * (`cleanSamples`): what is no number counts as silence here, but is not counted.
 */
export class LevelMeter {
  readonly #window: number;
  readonly #emit: (reading: LevelReading) => void;
  #filled = 0;
  #sum = 0;
  #peak = 0;
  #clipped = 0;

  constructor(rate: number, emit: (reading: LevelReading) => void) {
    this.#window = Math.round(rate / readingsPerSecond);
    if (!(this.#window >= 1)) throw new RangeError(`A level meter at ${rate} Hz`);
    this.#emit = emit;
  }

  push(block: Float32Array): void {
    // By index, not by iterator: an iterator allocates for each sample where it is not optimised.
    for (let n = 0; n < block.length; n += 1) {
      const size = Math.abs(block[n] ?? 0);
      if (size < Infinity) {
        this.#sum += size * size;
        if (size > this.#peak) this.#peak = size;
        if (size >= fullScale) this.#clipped += 1;
      }
      this.#filled += 1;
      if (this.#filled === this.#window) this.#finish();
    }
  }

  /** Forgets the reading begun: the microphone is another one, or there was a gap. */
  reset(): void {
    this.#filled = 0;
    this.#sum = 0;
    this.#peak = 0;
    this.#clipped = 0;
  }

  #finish(): void {
    const rmsDb = decibels(Math.sqrt(this.#sum / this.#window));
    const reading = { rmsDb, peakDb: decibels(this.#peak), clipped: this.#clipped };
    this.reset();
    this.#emit(reading);
  }
}

function decibels(amplitude: number): number {
  return amplitude > 0 ? Math.max(floorDb, 20 * Math.log10(amplitude)) : floorDb;
}
