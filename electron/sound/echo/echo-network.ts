import { applyOnce, place, rectify, sigmoid } from '../learned/dense-layer.ts';
import { readLayers } from '../learned/learned-layer.ts';
import { RecurrentLayer } from '../learned/recurrent-layer.ts';
import { echoBands } from './echo-bands.ts';
import { echoWeights } from './echo-weights.ts';

const layers = readLayers(echoWeights);
const powers = 4 * echoBands;
/**
 * What the network is told of a block: the power in each band of the rest, of all that was captured, of the expected echo and of
 * what is played, as powers of ten; and how alike rest and expected echo are, from 0 to 1.
 */
export const echoFeatures = powers + echoBands;

/** Says how much of a block is no echo, band by band, and how likely somebody speaks in it. */
export interface EchoJudge {
  readonly gains: Float32Array;
  readonly presence: number;
  judge(features: Float32Array): void;
}

/**
 * A small network with a memory that has heard people beside loudspeakers in made rooms: it tells a person from what a filter
 * leaves of an echo (docs/decisions/0039-echo-canceller.md; `scripts/learn-echo` learns it again).
 */
export class EchoNetwork implements EchoJudge {
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
    applyOnce(layers.narrow, input, place(this.#narrow));
    rectify(this.#narrow);
    this.#first.push(this.#narrow);
    this.#second.push(this.#first.state);
    applyOnce(layers.out, this.#second.state, place(this.#out));
    for (let band = 0; band < echoBands; band += 1)
      this.gains[band] = sigmoid(this.#out[band] ?? 0);
    this.#presence = sigmoid(this.#out[echoBands] ?? 0);
  }
}
