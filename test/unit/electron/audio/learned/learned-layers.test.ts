import { describe, expect, it } from 'vitest';
import {
  applyToFour,
  applyToOne,
  type DenseLayer,
  GruLayer,
} from '../../../../../electron/audio/learned/learned-layers.ts';
import { seeded } from '../../../../fakes/seeded.ts';

describe('dense layers', () => {
  const random = seeded(5);
  const some = (count: number): Float32Array =>
    Float32Array.from({ length: count }, () => random() - 0.5);
  const [inputs, stride] = [12, 5];
  const layer = (outputs: number) => ({
    inputs,
    outputs,
    weights: Float64Array.from(some(inputs * outputs)),
    biases: some(outputs),
  });
  const close = (a: Float32Array, b: Float32Array): number =>
    Math.max(...a.map((value, n) => Math.abs(value - (b[n] ?? NaN))));

  function plainly({ weights, biases, outputs }: ReturnType<typeof layer>, from: Float32Array) {
    return Float32Array.from({ length: outputs }, (_, row) =>
      from
        .subarray(0, inputs)
        .reduce(
          (sum, value, n) => sum + value * (weights[row * inputs + n] ?? 0),
          biases[row] ?? 0,
        ),
    );
  }

  it.each([1, 3, 4, 8])('apply to one input with zeros, with %i outputs', (outputs) => {
    const [one, from, to] = [layer(outputs), some(inputs), new Float32Array(outputs + 2)];
    from[2] = from[7] = 0;
    applyToOne(one, from, to, 2);
    expect(close(to.subarray(2), plainly(one, from))).toBeLessThan(1e-6);
  });

  it('apply to four overlapping inputs in order', () => {
    const [one, from, to] = [layer(6), some(inputs + 3 * stride), new Float32Array(24)];
    applyToFour(one, from, stride, to);
    for (let at = 0; at < 4; at += 1)
      expect(
        close(to.subarray(6 * at, 6 * (at + 1)), plainly(one, from.subarray(at * stride))),
      ).toBeLessThan(1e-6);
  });
});

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
