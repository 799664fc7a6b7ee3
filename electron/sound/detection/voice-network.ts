import { voiceWeights } from './voice-weights.ts';
import type { LearnedLayer } from './voice-weights.ts';

interface Layer {
  readonly inputs: number;
  readonly weights: Float32Array;
  readonly added: Float32Array;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Of the two letters of a number; in the middle of what they can say is nothing. */
const nothing = alphabet.length ** 2 / 2;

/** Read once, when the first detector is made. */
let learned: readonly Layer[] | undefined;

/** A small network of three layers: from features to how likely somebody speaks. */
export class VoiceNetwork {
  readonly #layers = (learned ??= voiceWeights.map(read));
  readonly #between = this.#layers.map(({ added }) => new Float32Array(added.length));

  /** From 0 to 1. */
  likelihood(features: Float32Array): number {
    let from = features;
    for (const [at, layer] of this.#layers.entries()) {
      const to = this.#between[at];
      if (to === undefined) break;
      apply(layer, from, to);
      from = to;
    }
    return 1 / (1 + Math.exp(-(from[0] ?? 0)));
  }
}

function apply({ inputs, weights, added }: Layer, from: Float32Array, to: Float32Array): void {
  // The last one is not cut at nothing: it says no as loudly as yes.
  const least = to.length === 1 ? -Infinity : 0;
  for (let out = 0; out < to.length; out += 1) {
    let sum = added[out] ?? 0;
    const row = out * inputs;
    for (let n = 0; n < inputs; n += 1) sum += (from[n] ?? 0) * (weights[row + n] ?? 0);
    to[out] = Math.max(least, sum);
  }
}

function read({ inputs, outputs, scale, addedScale, letters }: LearnedLayer): Layer {
  const count = inputs * outputs;
  const number = (at: number): number =>
    alphabet.indexOf(letters[2 * at] ?? '') * alphabet.length +
    alphabet.indexOf(letters[2 * at + 1] ?? '') -
    nothing;
  return {
    inputs,
    weights: Float32Array.from({ length: count }, (_, at) => number(at) * scale),
    added: Float32Array.from({ length: outputs }, (_, at) => number(count + at) * addedScale),
  };
}
