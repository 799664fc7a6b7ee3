import { expect, it } from 'vitest';
import { cleanSamples } from '../../../../../electron/audio/dsp/samples.ts';
import { seeded } from '../../../../fakes/seeded.ts';

it('cleanSamples replaces and counts invalid samples, and changes nothing else', () => {
  const random = seeded(8);
  const bad = [Number.NaN, Infinity, -Infinity];
  for (let round = 0; round < 100; round += 1) {
    let planted = 0;
    const expected: number[] = [];
    const block = Float32Array.from({ length: Math.floor(random() * 400) }, () => {
      const kind = Math.floor(random() * 12);
      planted += kind < 3 ? 1 : 0;
      const sample = Math.fround(random() * 8 - 4);
      expected.push(kind < 3 ? 0 : sample);
      return bad[kind] ?? sample;
    });
    expect(cleanSamples(block)).toBe(planted);
    expect([...block]).toEqual(expected);
    expect(cleanSamples(block)).toBe(0);
  }
});

it('cleanSamples keeps samples above full scale', () => {
  const block = new Float32Array([1.5, -7, 3e38]);
  expect(cleanSamples(block)).toBe(0);
  expect(block).toEqual(new Float32Array([1.5, -7, 3e38]));
});
