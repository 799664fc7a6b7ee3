import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { emptyHalfSpectrum, RealFft } from '../../../../../electron/audio/dsp/real-fft.ts';
import { soundFromWav } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import { maxStretch, timeStretch } from '../../../../../electron/audio/dsp/time-stretch.ts';

const rate = 24_000;
const size = 512;
const fft = new RealFft(size);
const names = ['see', 'hear', 'hello', 'sorry', 'only', 'turns', 'connect', 'written', 'loudness'];

function spoken(name: string): Float32Array {
  const sound = soundFromWav(readFileSync(`resources/speech/${name}.wav`), rate, 60);
  if (!sound.ok) throw new Error(`${name} cannot be read.`);
  return sound.value;
}

/** Levels of 23 bands in 21 ms of sound, in dB, with an inaudible floor. */
function bands(samples: Float32Array, at: number): readonly number[] {
  const windowed = Float32Array.from({ length: size }, (_, n) => {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size);
    return (samples[at + n] ?? 0) * window;
  });
  const { re, im } = emptyHalfSpectrum(size);
  fft.forward(windowed, { re, im });
  return Array.from({ length: 23 }, (_, band) => {
    let power = 1e-3;
    for (let bin = 1 + band * 8; bin < 9 + band * 8; bin += 1)
      power += (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
    return 10 * Math.log10(power);
  });
}

function distance(one: readonly number[], other: readonly number[]): number {
  const squares = one.map((db, n) => (db - (other[n] ?? 0)) ** 2);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}

/** Counts rises of 15 dB within 40 ms, which words and plosives cause. */
function onsets(samples: Float32Array): number {
  const step = rate / 50;
  const levels = Array.from({ length: Math.floor(samples.length / step) }, (_, n) => {
    const piece = samples.subarray(n * step, (n + 1) * step);
    return 10 * Math.log10(piece.reduce((sum, x) => sum + x * x, 1e-6 * step) / step);
  });
  let [count, last] = [0, -9];
  levels.forEach((level, n) => {
    if (level - (levels[n - 2] ?? level) < 15 || n - last < 4) return;
    count += 1;
    last = n;
  });
  return count;
}

it('speech stretched by a quarter keeps its sound and the order of its words', () => {
  const reached: number[] = [];
  const distances: number[] = [];
  let [before, after] = [0, 0];
  for (const name of names) {
    const samples = spoken(name);
    const out: number[] = [];
    /** For each stretched sample, its position in the original. */
    const from: number[] = [];
    let own = 0;
    const inserted = timeStretch(samples, maxStretch * samples.length, rate, (piece, isOwn) => {
      piece.forEach((sample, n) => {
        out.push(sample);
        from.push(own + (isOwn ? n : 0));
      });
      if (isOwn) own += piece.length;
    });
    const longer = Float32Array.from(out);
    reached.push(inserted / samples.length);
    before += onsets(samples);
    after += onsets(longer);
    for (let at = 0; at + size < longer.length; at += size / 2) {
      const here = bands(longer, at);
      // Shifts by whole periods sound the same.
      const near = [-360, -240, -120, 0, 120, 240, 360].map((off) =>
        distance(here, bands(samples, Math.max(0, (from[at] ?? 0) + off))),
      );
      distances.push(Math.min(...near));
    }
  }
  const sorted = distances.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const share = reached.reduce((sum, each) => sum + each, 0) / reached.length;
  process.stdout.write(
    `made longer by ${(100 * share).toFixed(0)} %: spectral distance to the same moment, half, 95 and 99 of 100 under ` +
      `${[0.5, 0.95, 0.99].map((each) => at(each).toFixed(1)).join(', ')} dB; ${before} onsets before, ${after} after\n`,
  );
  expect(share).toBeGreaterThan(0.2);
  expect(at(0.5)).toBeLessThan(0.5);
  expect(at(0.95)).toBeLessThan(2);
  expect(at(0.99)).toBeLessThan(2);
  expect(Math.abs(after - before)).toBeLessThanOrEqual(Math.ceil(before / 25));
});
