import { describe, expect, it } from 'vitest';
import { seeded } from '../../fakes/seeded.ts';
import { noiseFor, spokenScene, withNoise } from '../../fakes/spoken-scene.ts';
import { stoi } from '../../bench/recordings/stoi.ts';

const scene = spokenScene({ count: 2 });
const random = seeded(1);
const noise = scene.sound.map(() => 0.1 * (random() - 0.5));

describe('the intelligibility of speech (STOI)', () => {
  it('is 1 for the speech itself, however loud', () => {
    expect(stoi(scene.sound, scene.sound)).toBeCloseTo(1, 5);
    expect(
      stoi(
        scene.sound,
        scene.sound.map((sample) => 0.05 * sample),
      ),
    ).toBeCloseTo(1, 5);
  });

  it('is less the more noise there is', () => {
    const all = [30, 15, 5, -5].map((snrDb) => stoi(scene.sound, withNoise(scene, noise, snrDb)));
    expect(all).toStrictEqual(all.toSorted((one, other) => (other ?? 0) - (one ?? 0)));
    expect(all[0]).toBeGreaterThan(0.98);
    expect(all[3]).toBeLessThan(0.75);
  });

  it('does not hear what is added where nobody speaks', () => {
    const silence = new Float32Array(32_000);
    const after = new Float32Array(32_000).fill(0).map(() => 0.1 * (random() - 0.5));
    const clean = Float32Array.from([...scene.sound, ...silence]);
    expect(stoi(clean, Float32Array.from([...scene.sound, ...after]))).toBeGreaterThan(0.99);
  });

  it('matches an independent implementation of the paper', () => {
    const of = (sound: Float32Array): number => stoi(scene.sound, sound) ?? NaN;
    // In numpy, with another resampler: 0.9500, 0.7921, and 0.4073 for noise alone.
    const pink = of(withNoise(scene, noiseFor(scene, 'pink'), 10));
    const keys = of(withNoise(scene, noiseFor(scene, 'keyboard'), 0));
    expect(Math.abs(pink - 0.95)).toBeLessThan(0.003);
    expect(Math.abs(keys - 0.7921)).toBeLessThan(0.003);
    expect(Math.abs(of(noise) - 0.4073)).toBeLessThan(0.01);
  });

  it('says nothing about less than 384 ms', () => {
    expect(stoi(scene.sound.subarray(0, 5000), scene.sound.subarray(0, 5000))).toBeUndefined();
  });
});
