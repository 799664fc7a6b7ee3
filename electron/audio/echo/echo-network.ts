import { echoWeights } from '../learned/echo-weights.ts';
import {
  applyOnce,
  readLayers,
  rectify,
  RecurrentLayer,
  sigmoid,
} from '../learned/learned-layers.ts';

/** Center bins of the bands, in a spectrum of 257 bins of 31 Hz: three bins wide below 1.5 kHz, then wider. */
const middles = [
  1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46, 50, 54, 59, 64, 70, 77, 85, 94, 104,
  115, 127, 141, 157, 175, 196, 220, 250,
] as const;
export const echoBands = middles.length;
const bins = 257;
/** For each bin, the band centered at or below it, and the next band's share. */
const bandOfBin = new Uint8Array(bins);
const nextShare = new Float32Array(bins);
for (let bin = 0; bin < bins; bin += 1) {
  const next = middles.findIndex((middle) => middle > bin);
  const band = next === -1 ? echoBands - 1 : Math.max(0, next - 1);
  const [from, to] = [middles[band] ?? 0, middles[band + 1] ?? bins];
  bandOfBin[bin] = band;
  nextShare[bin] = next <= 0 ? 0 : (bin - from) / (to - from);
}

/** Sums the power of bins into overlapping bands. */
export function toBands(power: Float32Array, into: Float32Array, at = 0): void {
  into.fill(0, at, at + echoBands);
  for (let bin = 0; bin < bins; bin += 1) {
    const band = at + (bandOfBin[bin] ?? 0);
    const share = nextShare[bin] ?? 0;
    const value = power[bin] ?? 0;
    into[band] = (into[band] ?? 0) + (1 - share) * value;
    if (share > 0) into[band + 1] = (into[band + 1] ?? 0) + share * value;
  }
}

/** Interpolates a value per band to a value per bin. */
export function fromBands(bands: Float32Array, into: Float32Array): void {
  for (let bin = 0; bin < bins; bin += 1) {
    const band = bandOfBin[bin] ?? 0;
    const share = nextShare[bin] ?? 0;
    const next = share > 0 ? (bands[band + 1] ?? 0) : 0;
    into[bin] = (1 - share) * (bands[band] ?? 0) + share * next;
  }
}

const layers = readLayers(echoWeights);
const powers = 4 * echoBands;
/**
 * Size of the network's input for a block. In each band: log power of residual, captured sound, expected echo
 * and far end, and the coherence of residual and expected echo from 0 to 1.
 */
export const echoFeatures = powers + echoBands;

/**
 * A recurrent network that separates near-end speech from residual echo, trained on simulated rooms
 * (docs/decisions/0039-echo-canceller.md, `scripts/learn-echo`).
 */
export class EchoNetwork {
  readonly gains = new Float32Array(echoBands);
  readonly #input = new Float32Array(echoFeatures);
  readonly #narrow = new Float32Array(layers.narrow.outputs);
  readonly #first = new RecurrentLayer(layers.firstInput, layers.firstState);
  readonly #second = new RecurrentLayer(layers.secondInput, layers.secondState);
  readonly #out = new Float32Array(layers.out.outputs);
  #presence = 0;

  get presence(): number {
    return this.#presence;
  }

  judge(features: Float32Array): void {
    const input = this.#input;
    for (let n = 0; n < powers; n += 1) input[n] = ((features[n] ?? 0) + 2) / 2;
    for (let n = powers; n < echoFeatures; n += 1) input[n] = (features[n] ?? 0) * 2 - 1;
    applyOnce(layers.narrow, input, this.#narrow);
    rectify(this.#narrow);
    this.#first.push(this.#narrow);
    this.#second.push(this.#first.state);
    applyOnce(layers.out, this.#second.state, this.#out);
    for (let band = 0; band < echoBands; band += 1)
      this.gains[band] = sigmoid(this.#out[band] ?? 0);
    this.#presence = sigmoid(this.#out[echoBands] ?? 0);
  }
}

/** Estimates for each band the share that is not echo, and the probability of near-end speech. */
export type EchoJudge = Pick<EchoNetwork, 'gains' | 'presence' | 'judge'>;
