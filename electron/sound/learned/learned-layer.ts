import type { DenseLayer } from './dense-layer.ts';

/** A layer as the learning scripts write it: each number as two letters, the weights row by row and then the added numbers. */
export interface LearnedLayer {
  readonly inputs: number;
  readonly outputs: number;
  readonly scale: number;
  readonly addedScale: number;
  readonly letters: string;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Zero is in the middle of what two letters can say. */
const zero = alphabet.length ** 2 / 2;
const digits = new Uint8Array(128);
for (let digit = 0; digit < alphabet.length; digit += 1) digits[alphabet.charCodeAt(digit)] = digit;

/** The layers of a network, by their names. */
export function readLayers<Name extends string>(
  weights: Readonly<Record<Name, LearnedLayer>>,
): Readonly<Record<Name, DenseLayer>> {
  const layers: Partial<Record<Name, DenseLayer>> = {};
  for (const name in weights) layers[name] = readLayer(weights[name]);
  return layers as Readonly<Record<Name, DenseLayer>>;
}

function readLayer(layer: LearnedLayer): DenseLayer {
  const { inputs, outputs, scale, addedScale, letters } = layer;
  const count = inputs * outputs;
  const number = (at: number): number =>
    (digits[letters.charCodeAt(2 * at)] ?? 0) * alphabet.length +
    (digits[letters.charCodeAt(2 * at + 1)] ?? 0) -
    zero;
  return {
    inputs,
    outputs,
    weights: Float32Array.from({ length: count }, (_, at) => number(at) * scale),
    added: Float32Array.from({ length: outputs }, (_, at) => number(count + at) * addedScale),
  };
}
