import { describe, expect, it } from 'vitest';
import { emptySpectrum, fft } from '../../../../../electron/audio/dsp/chirp.ts';
import { emptyHalfSpectrum, RealFft } from '../../../../../electron/audio/dsp/real-fft.ts';
import { seeded } from '../../../../fakes/seeded.ts';

function noise(size: number): Float32Array {
  const random = seeded(size);
  return Float32Array.from({ length: size }, () => random() * 2 - 1);
}

describe.each([8, 64, 512, 4096])('the transform of %d real samples', (size) => {
  const signal = noise(size);
  const half = emptyHalfSpectrum(size);
  new RealFft(size).forward(signal, half);

  it('is the first half of the complex one', () => {
    const whole = emptySpectrum(size);
    whole.real.set(signal);
    fft(whole);
    expect(half.re).toHaveLength(size / 2 + 1);
    half.re.forEach((re, bin) => {
      expect(re).toBeCloseTo(whole.real[bin] ?? Number.NaN, 3);
      expect(half.im[bin]).toBeCloseTo(whole.imaginary[bin] ?? Number.NaN, 3);
    });
  });

  it('comes back as it was', () => {
    const back = new Float32Array(size);
    new RealFft(size).inverse(half, back);
    back.forEach((sample, n) => {
      expect(sample).toBeCloseTo(signal[n] ?? Number.NaN, 5);
    });
  });
});
