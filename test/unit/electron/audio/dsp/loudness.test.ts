import { describe, expect, it } from 'vitest';
import {
  LevelMeter,
  type LevelReading,
  throttleSilence,
} from '../../../../../electron/audio/dsp/loudness.ts';
import type { TalkLevel } from '../../../../../shared/talk/talk-view.ts';
import { seeded } from '../../../../fakes/seeded.ts';

function measure(rate: number, ...blocks: readonly Float32Array[]): LevelReading[] {
  const readings: LevelReading[] = [];
  const meter = new LevelMeter(rate, (reading) => readings.push(reading));
  for (const block of blocks) meter.push(block);
  return readings;
}

const constant = (length: number, level: number) => new Float32Array(length).fill(level);

describe('LevelMeter', () => {
  it.each([16_000, 24_000])('reads 20 times a second at %i Hz', (rate) => {
    expect(measure(rate, constant(rate, 0.1)).length).toBe(20);
    expect(measure(rate, constant(rate / 20 - 1, 0.1)).length).toBe(0);
  });

  it('measures a sine and a square wave', () => {
    const sine = Float32Array.from({ length: 800 }, (_, n) => Math.sin((2 * Math.PI * n) / 80) / 2);
    const [reading] = measure(16_000, sine);
    expect(reading?.rmsDb).toBeCloseTo(-9.03, 2);
    expect(reading?.peakDb).toBeCloseTo(-6.02, 2);
    const square = Float32Array.from({ length: 800 }, (_, n) => (n % 2 === 0 ? 1 : -1));
    expect(measure(16_000, square)).toEqual([
      { rmsDb: 0, halvesDb: [0, 0], peakDb: 0, clipped: 800 },
    ]);
  });

  it('has a floor of -100 dBFS', () => {
    const silent = { rmsDb: -100, halvesDb: [-100, -100], peakDb: -100, clipped: 0 };
    expect(measure(16_000, constant(800, 0))).toEqual([silent]);
    expect(measure(16_000, constant(800, 1e-9))).toEqual([silent]);
    const single = constant(800, 0);
    single[3] = 1e-4;
    const [reading] = measure(16_000, single);
    expect(reading?.peakDb).toBeCloseTo(-80, 4);
    expect(reading?.rmsDb).toBe(-100);
  });

  it('measures both halves separately', () => {
    const block = constant(800, 0.1);
    block.fill(0.01, 400);
    const [reading] = measure(16_000, block);
    expect(reading?.halvesDb[0]).toBeCloseTo(-20, 4);
    expect(reading?.halvesDb[1]).toBeCloseTo(-40, 4);
    expect(reading?.rmsDb).toBeCloseTo(-22.97, 2);
    const begun = constant(800, 0);
    begun.fill(0.1, 400);
    expect(measure(16_000, begun)[0]?.halvesDb[0]).toBe(-100);
  });

  it('counts samples that a 16-bit converter clipped, on both sides', () => {
    const block = constant(800, 0.99);
    block.set([32_767 / 32_768, -1, 1, 1.5, -3, 32_766 / 32_768]);
    expect(measure(16_000, block)[0]?.clipped).toBe(5);
  });

  it('reads the same for any block size', () => {
    const random = seeded(9);
    for (let round = 0; round < 50; round += 1) {
      const rate = random() < 0.5 ? 16_000 : 24_000;
      const sound = Float32Array.from({ length: 12_000 }, () => random() * 2.2 - 1.1);
      const blocks: Float32Array[] = [];
      for (let from = 0; from < sound.length;) {
        const to = from + Math.floor(random() * 2000);
        blocks.push(sound.subarray(from, to));
        from = to;
      }
      expect(measure(rate, ...blocks)).toEqual(measure(rate, sound));
    }
  });

  it('restarts after a reset', () => {
    const readings: LevelReading[] = [];
    const meter = new LevelMeter(16_000, (reading) => readings.push(reading));
    meter.push(constant(799, 1));
    meter.reset();
    meter.push(constant(800, 0));
    expect(readings).toEqual([{ rmsDb: -100, halvesDb: [-100, -100], peakDb: -100, clipped: 0 }]);
  });

  it('reads finite numbers for any input', () => {
    const block = constant(800, 0.5);
    block.set([Number.NaN, Infinity, -Infinity]);
    const [reading] = measure(16_000, block);
    expect(reading?.rmsDb).toBeCloseTo(-6.04, 2);
    expect(reading?.clipped).toBe(0);
  });

  it.each([0, 5, -1, Number.NaN])('rejects a rate of %d Hz', (rate) => {
    expect(() => new LevelMeter(rate, () => undefined)).toThrow(RangeError);
  });
});

it('throttleSilence forwards the first half second of silence, separately for each voice', () => {
  const emitted: string[] = [];
  const hear = throttleSilence(({ who, rmsDb }) => emitted.push(`${who} ${rmsDb}`));
  const say = (who: TalkLevel['who'], ...levels: readonly number[]): void => {
    for (const rmsDb of levels) hear({ who, rmsDb, peakDb: rmsDb });
  };
  const silence = Array.from({ length: 30 }, () => -100);
  say('you', -20, ...silence);
  say('parley', -30, -61);
  say('you', -75, -60, -100);
  const ten = silence.slice(0, 10).map((level) => `you ${level}`);
  expect(emitted).toEqual(['you -20', ...ten, 'parley -30', 'parley -61', 'you -60', 'you -100']);
});
