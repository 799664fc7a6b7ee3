import { describe, expect, it } from 'vitest';
import { applyToFour, applyToOne } from '../../../../../electron/audio/learned/learned-layers.ts';
import { seeded } from '../../../../fakes/seeded.ts';

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
      .reduce((sum, value, n) => sum + value * (weights[row * inputs + n] ?? 0), biases[row] ?? 0),
  );
}

describe('dense layers', () => {
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
