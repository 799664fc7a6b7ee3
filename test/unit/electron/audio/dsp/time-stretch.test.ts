import { expect, it } from 'vitest';
import { timeStretch } from '../../../../../electron/audio/dsp/time-stretch.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { TimedResampler } from '../../../../../electron/audio/dsp/sinc-resampler.ts';

const rate = 24_000;

function stretched(samples: Float32Array, wanted: number) {
  const all: number[] = [];
  const own: number[] = [];
  const inserted = timeStretch(samples, wanted, rate, (piece, isOwn) => {
    for (const sample of piece) {
      all.push(sample);
      if (isOwn) own.push(sample);
    }
  });
  return { all, own, inserted };
}

const second = { length: rate };

/** A vowel with a varying pitch, overtones and a little breath. */
function vowel(): Float32Array {
  const random = seeded(2);
  let phase = 0;
  return Float32Array.from(second, (_, n) => {
    phase += (2 * Math.PI * (130 + 15 * Math.sin(n / 9000))) / rate;
    const voice = Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.3 * Math.sin(5 * phase);
    return 0.2 * voice + 0.01 * (random() - 0.5);
  });
}

const steps = (samples: ArrayLike<number>): number =>
  Math.max(
    ...Array.from(samples, (one, n) => (n === 0 ? 0 : Math.abs(one - (samples[n - 1] ?? 0)))),
  );

it('timeStretch keeps every sample in order and inserts whole periods', () => {
  const voice = vowel();
  const { all, own, inserted } = stretched(voice, 0.05 * rate);
  expect(own).toEqual([...voice]);
  expect(all.length).toBe(voice.length + inserted);
  expect(inserted).toBeGreaterThanOrEqual(0.05 * rate);
  expect(inserted).toBeLessThan(0.067 * rate);
});

it('timeStretch makes no step between samples larger than the voice has', () => {
  // The voice swells, so that each period is much louder than the one before.
  const voice = vowel().map((sample, n) => sample * (1 + Math.sin(n / 300)));
  const { all, inserted } = stretched(voice, 0.1 * rate);
  expect(inserted).toBeGreaterThan(0.05 * rate);
  expect(steps(all)).toBeLessThan(1.1 * steps(voice));
});

it('timeStretch inserts at most a quarter of a voice’s length', () => {
  const { inserted } = stretched(vowel(), rate);
  expect(inserted).toBeGreaterThan(0.2 * rate);
  expect(inserted).toBeLessThanOrEqual(0.26 * rate);
});

it('timeStretch stretches a pause beyond the limit for voices', () => {
  const sound = vowel().map((sample, n) => (n > 0.4 * rate && n < 0.6 * rate ? 0 : sample));
  const { inserted, all } = stretched(sound, rate);
  const quiet = all.filter((sample, n) => sample === 0 && all[n - 1] === 0).length;
  expect(quiet - 0.2 * rate).toBeGreaterThan(0.1 * rate);
  expect(inserted).toBeGreaterThan(0.29 * rate);
  expect(inserted).toBeLessThan(0.4 * rate);
});

it('timeStretch leaves unvoiced sound unchanged, but stretches silence', () => {
  const random = seeded(3);
  const noise = Float32Array.from(second, () => random() - 0.5);
  expect(stretched(noise, 0.1 * rate).inserted).toBe(0);
  expect(stretched(new Float32Array(rate), 0.05 * rate).inserted).toBeGreaterThanOrEqual(
    0.05 * rate,
  );
});

it('timeStretch leaves sound unchanged that is too short to stretch or already long enough', () => {
  const voice = vowel();
  expect(stretched(voice, 0).all).toEqual([...voice]);
  expect(stretched(voice, -100).inserted).toBe(0);
  expect(stretched(voice.subarray(0, 200), 100).inserted).toBe(0);
});

it('TimedResampler returns the capture time of each output sample despite its delay', () => {
  const resampler = new TimedResampler(1000, 500);
  let pushed = 0;
  // The sample values are capture times.
  for (let at = 0; at < 4000; at += 20) {
    const block = Float32Array.from({ length: 20 }, (_, n) => at + n);
    const got = resampler.convert(block, at);
    pushed += got.block.length;
    // After the silence before the first sample, the filter takes a while to settle.
    if (at > 2000) expect(Math.abs((got.block[0] ?? 0) - got.at)).toBeLessThan(0.1);
  }
  expect(pushed).toBeGreaterThan(1900);
});
