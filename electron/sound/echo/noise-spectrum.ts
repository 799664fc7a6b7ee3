/** What is so much stronger than the noise is no noise. */
const voiceFactor = 4;
const learning = 0.05;
const fallShare = 0.2;
/** Found out again where it has grown: 1.3 dB a second. */
const rise = 1.003;
const smoothing = 0.8;
/** What a room is before it was heard for so many blocks. */
const firstBlocks = 12;

/** How strong the room's own noise is, bin by bin: what stays when nobody speaks. */
export class NoiseSpectrum {
  readonly power: Float32Array;
  readonly #smooth: Float32Array;
  #blocks = 0;

  constructor(bins: number) {
    this.power = new Float32Array(bins);
    this.#smooth = new Float32Array(bins);
  }

  /** The power of a block in each bin, and how much of it is known to be something else. */
  learn(power: Float32Array, foreign: Float32Array): void {
    this.#blocks += 1;
    const first = this.#blocks <= firstBlocks;
    for (let bin = 0; bin < power.length; bin += 1) {
      const now = power[bin] ?? 0;
      const known = this.power[bin] ?? 0;
      const smooth = first
        ? ((this.#smooth[bin] ?? 0) * (this.#blocks - 1) + now) / this.#blocks
        : smoothing * (this.#smooth[bin] ?? 0) + (1 - smoothing) * now;
      this.#smooth[bin] = smooth;
      if (first) this.power[bin] = smooth;
      else if (smooth < known) this.power[bin] = known + fallShare * (smooth - known);
      else if ((foreign[bin] ?? 0) > known) continue;
      else if (smooth < voiceFactor * known) this.power[bin] = known + learning * (smooth - known);
      else this.power[bin] = known * rise;
    }
  }
}
