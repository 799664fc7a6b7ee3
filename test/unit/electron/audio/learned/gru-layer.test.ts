import { expect, it } from 'vitest';
import { type DenseLayer, GruLayer } from '../../../../../electron/audio/learned/learned-layers.ts';

function layer(inputs: number, outputs: number, seed: number): DenseLayer {
  const number = (n: number): number => Math.sin(seed + 1.7 * n) / 2;
  return {
    inputs,
    outputs,
    weights: Float64Array.from({ length: inputs * outputs }, (_, n) => number(n)),
    biases: Float32Array.from({ length: outputs }, (_, n) => number(n + 100)),
  };
}

/** A reference implementation of PyTorch’s GRU. */
function referenceGru(input: readonly number[], state: readonly number[]): number[] {
  const [one, other] = [layer(2, 9, 1), layer(3, 9, 2)];
  const sum = (
    { inputs, weights, biases }: DenseLayer,
    of: readonly number[],
    row: number,
  ): number =>
    (biases[row] ?? 0) + of.reduce((s, x, n) => s + x * (weights[row * inputs + n] ?? 0), 0);
  const curve = (x: number): number => 1 / (1 + Math.exp(-x));
  return state.map((before, cell) => {
    const reset = curve(sum(one, input, cell) + sum(other, state, cell));
    const update = curve(sum(one, input, 3 + cell) + sum(other, state, 3 + cell));
    const fresh = Math.tanh(sum(one, input, 6 + cell) + reset * sum(other, state, 6 + cell));
    return (1 - update) * fresh + update * before;
  });
}

it('GruLayer matches a gated recurrent unit', () => {
  const cells = new GruLayer(layer(2, 9, 1), layer(3, 9, 2));
  let expected = [0, 0, 0];
  for (const input of [
    [1, -2],
    [0, 0.5],
    [3, 0],
  ]) {
    expected = referenceGru(input, expected);
    cells.push(Float32Array.from(input));
    expected.forEach((value, cell) => {
      expect(cells.state[cell]).toBeCloseTo(value, 5);
    });
  }
});
