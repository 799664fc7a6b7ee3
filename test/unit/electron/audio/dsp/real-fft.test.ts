import { describe, expect, it } from 'vitest';
import { emptyHalfSpectrum, RealFft } from '../../../../../electron/audio/dsp/real-fft.ts';
import { seeded } from '../../../../fakes/seeded.ts';

function noise(size: number): Float32Array {
  const random = seeded(size);
  return Float32Array.from({ length: size }, () => random() * 2 - 1);
}

/** The DFT by definition, for one bin. */
function naive(signal: Float32Array, bin: number): readonly [re: number, im: number] {
  let [re, im] = [0, 0];
  signal.forEach((sample, n) => {
    const turn = (-2 * Math.PI * ((bin * n) % signal.length)) / signal.length;
    re += sample * Math.cos(turn);
    im += sample * Math.sin(turn);
  });
  return [re, im];
}

describe.each([8, 64, 512, 4096])('RealFft of %d samples', (size) => {
  const signal = noise(size);
  const half = emptyHalfSpectrum(size);
  new RealFft(size).forward(signal, half);

  it('returns the first half of the complex transform', () => {
    expect(half.re).toHaveLength(size / 2 + 1);
    half.re.forEach((re, bin) => {
      const whole = naive(signal, bin);
      expect(re).toBeCloseTo(whole[0], 3);
      expect(half.im[bin]).toBeCloseTo(whole[1], 3);
    });
  });

  it('inverts its transform', () => {
    const back = new Float32Array(size);
    new RealFft(size).inverse(half, back);
    back.forEach((sample, n) => {
      expect(sample).toBeCloseTo(signal[n] ?? Number.NaN, 5);
    });
  });
});
