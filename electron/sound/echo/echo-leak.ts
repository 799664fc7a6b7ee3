/** Bins that are judged together: 250 Hz. */
const bandBins = 8;
/** How fast it is learned. */
const learning = 0.02;
const first = 0.3;
const least = 0.002;
const meanRate = 0.1;
const tiny = 1e-9;
const known = tiny * tiny;

/**
 * How much of the expected echo's power is left, by what of both swells and ebbs together: over all, and band by band, since
 * high sounds are seldom played and the first to be lost where times slide.
 */
export class EchoLeak {
  readonly #meanLeft: Float32Array;
  readonly #meanExpected: Float32Array;
  readonly #together: Float64Array;
  readonly #alone: Float64Array;
  readonly #togetherNow: Float64Array;
  readonly #aloneNow: Float64Array;
  #overall = first;

  constructor(bins: number) {
    const bands = Math.ceil(bins / bandBins);
    [this.#meanLeft, this.#meanExpected] = [new Float32Array(bins), new Float32Array(bins)];
    [this.#together, this.#alone] = [new Float64Array(bands), new Float64Array(bands)];
    [this.#togetherNow, this.#aloneNow] = [new Float64Array(bands), new Float64Array(bands)];
  }

  /** The way is another one. */
  forget(): void {
    this.#together.fill(0);
    this.#alone.fill(0);
    this.#overall = first;
  }

  /** The share that is left in this bin's band, or over all where that is more. */
  at(bin: number): number {
    const band = Math.floor(bin / bandBins);
    const alone = this.#alone[band] ?? 0;
    const here = alone > known ? (this.#together[band] ?? 0) / alone : 0;
    return Math.max(this.#overall, Math.min(1, here));
  }

  /** The power of what is left of a block, and of the echo that was taken out of it, bin by bin. */
  follow(left: Float32Array, expected: Float32Array): void {
    this.#togetherNow.fill(0);
    this.#aloneNow.fill(0);
    let leftPower = 0;
    let expectedPower = 0;
    for (let bin = 0; bin < left.length; bin += 1) {
      const band = Math.floor(bin / bandBins);
      const now = left[bin] ?? 0;
      const should = expected[bin] ?? 0;
      const above = now - (this.#meanLeft[bin] ?? 0);
      const aboveExpected = should - (this.#meanExpected[bin] ?? 0);
      this.#togetherNow[band] = (this.#togetherNow[band] ?? 0) + above * aboveExpected;
      this.#aloneNow[band] = (this.#aloneNow[band] ?? 0) + aboveExpected * aboveExpected;
      this.#meanLeft[bin] = now - (1 - meanRate) * above;
      this.#meanExpected[bin] = should - (1 - meanRate) * aboveExpected;
      leftPower += now;
      expectedPower += should;
    }
    // Where somebody talks over it, little is learned of it.
    this.#learn(learning * Math.min(1, (2 * expectedPower) / (leftPower + tiny)));
  }

  #learn(rate: number): void {
    let together = 0;
    let alone = 0;
    for (let band = 0; band < this.#together.length; band += 1) {
      this.#together[band] = mixed(this.#together[band], this.#togetherNow[band], rate);
      this.#alone[band] = mixed(this.#alone[band], this.#aloneNow[band], rate);
      together += this.#together[band] ?? 0;
      alone += this.#alone[band] ?? 0;
    }
    this.#overall = alone > known ? Math.min(1, Math.max(least, together / alone)) : first;
  }
}

function mixed(before = 0, now = 0, rate: number): number {
  return before + rate * (now - before);
}
