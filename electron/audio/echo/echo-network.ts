import { echoWeights } from '../learned/echo-weights.ts';
import {
  applyOnce,
  readLayers,
  rectify,
  RecurrentLayer,
  sigmoid,
} from '../learned/learned-layers.ts';

/**
 * Center bins of the bands, in a spectrum of 257 bins of 31 Hz. Bands are three bins wide below 1.5 kHz, then wider.
 */
const centers = [
  1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46, 50, 54, 59, 64, 70, 77, 85, 94, 104,
  115, 127, 141, 157, 175, 196, 220, 250,
] as const;
export const echoBands = centers.length;
const bins = 257;
/** For each bin: the band whose center is at or below it, and the share of the bin that belongs to the next band. */
const bandOfBin = new Uint8Array(bins);
const nextShare = new Float32Array(bins);
for (let bin = 0; bin < bins; bin += 1) {
  const next = centers.findIndex((center) => center > bin);
  const band = next === -1 ? echoBands - 1 : Math.max(0, next - 1);
  const [from, to] = [centers[band] ?? 0, centers[band + 1] ?? bins];
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
const powerFeatures = 4 * echoBands;
/**
 * Number of the network's inputs for a block. They are, for each band: the log power of the residual, the captured
 * sound, the expected echo and the far end, and the coherence of residual and expected echo, from 0 to 1.
 */
export const echoFeatures = powerFeatures + echoBands;

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
  readonly #output = new Float32Array(layers.out.outputs);
  #presence = 0;

  get presence(): number {
    return this.#presence;
  }

  judge(features: Float32Array): void {
    const input = this.#input;
    for (let n = 0; n < powerFeatures; n += 1) input[n] = ((features[n] ?? 0) + 2) / 2;
    for (let n = powerFeatures; n < echoFeatures; n += 1) input[n] = (features[n] ?? 0) * 2 - 1;
    applyOnce(layers.narrow, input, this.#narrow);
    rectify(this.#narrow);
    this.#first.push(this.#narrow);
    this.#second.push(this.#first.state);
    applyOnce(layers.out, this.#second.state, this.#output);
    for (let band = 0; band < echoBands; band += 1)
      this.gains[band] = sigmoid(this.#output[band] ?? 0);
    this.#presence = sigmoid(this.#output[echoBands] ?? 0);
  }
}

/** Estimates for each band the share that is not echo, and the probability of near-end speech. */
export type EchoJudge = Pick<EchoNetwork, 'gains' | 'presence' | 'judge'>;
