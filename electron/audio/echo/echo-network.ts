import { echoWeights } from '../learned/echo-weights.ts';
import {
  applyOnce,
  readLayers,
  rectify,
  RecurrentLayer,
  sigmoid,
} from '../learned/learned-layers.ts';

/** Where bands of a spectrum of 257 bins of 31 Hz have their middle: each of three bins below 1.5 kHz, and wider and wider above. */
const middles = [
  1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46, 50, 54, 59, 64, 70, 77, 85, 94, 104,
  115, 127, 141, 157, 175, 196, 220, 250,
] as const;
export const echoBands = middles.length;
const bins = 257;
/** The band whose middle is at a bin or below it, and how much of the bin belongs to the next one. */
const bandOf = new Uint8Array(bins);
const nextShare = new Float32Array(bins);
for (let bin = 0; bin < bins; bin += 1) {
  const next = middles.findIndex((middle) => middle > bin);
  const band = next === -1 ? echoBands - 1 : Math.max(0, next - 1);
  const [from, to] = [middles[band] ?? 0, middles[band + 1] ?? bins];
  bandOf[bin] = band;
  nextShare[bin] = next <= 0 ? 0 : (bin - from) / (to - from);
}

/** Adds up the power of bins to that of bands that overlap. */
export function toBands(power: Float32Array, into: Float32Array, at = 0): void {
  into.fill(0, at, at + echoBands);
  for (let bin = 0; bin < bins; bin += 1) {
    const band = at + (bandOf[bin] ?? 0);
    const share = nextShare[bin] ?? 0;
    const value = power[bin] ?? 0;
    into[band] = (into[band] ?? 0) + (1 - share) * value;
    if (share > 0) into[band + 1] = (into[band + 1] ?? 0) + share * value;
  }
}

/** A number for each band becomes one for each bin. */
export function fromBands(bands: Float32Array, into: Float32Array): void {
  for (let bin = 0; bin < bins; bin += 1) {
    const band = bandOf[bin] ?? 0;
    const share = nextShare[bin] ?? 0;
    const next = share > 0 ? (bands[band + 1] ?? 0) : 0;
    into[bin] = (1 - share) * (bands[band] ?? 0) + share * next;
  }
}

const layers = readLayers(echoWeights);
const powers = 4 * echoBands;
/**
 * The network's input for a block: the power in each band of the rest, of all that was captured, of the expected echo and of
 * what is played, as powers of ten; and how alike rest and expected echo are, from 0 to 1.
 */
export const echoFeatures = powers + echoBands;

/**
 * A small network with a memory that has heard people beside loudspeakers in made rooms: it tells a person from what a filter
 * leaves of an echo (docs/decisions/0039-echo-canceller.md; `scripts/learn-echo` learns it again).
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

/** Says how much of a block is no echo, band by band, and how likely somebody speaks in it. */
export type EchoJudge = Pick<EchoNetwork, 'gains' | 'presence' | 'judge'>;
