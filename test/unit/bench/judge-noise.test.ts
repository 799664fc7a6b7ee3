import { describe, expect, it } from 'vitest';
import { LevelJudge } from '../../bench/recordings/judge-enhancement.ts';
import {
  removeDelay,
  measureDelay,
  judgeOutput,
  attenuatedShare,
} from '../../bench/recordings/judge-enhancement.ts';
import type { Clip } from '../../bench/recordings/recorded-scenes.ts';
import { seeded } from '../../fakes/seeded.ts';

const random = seeded(4);
const white = (amplitude: number, length = 32_000): Float32Array =>
  Float32Array.from({ length }, () => amplitude * (2 * random() - 1));

/** A second without anybody, then a second of somebody. */
const speaks = Array.from({ length: 200 }, (_, at) => at >= 100);
const sound = white(0.2).map((sample, n) => (n < 16_000 ? 0 : sample));
const clip: Clip = { name: 'somebody', sound, speaks, voicedDb: -18.7 };
const noise = white(0.02);
const mixed = sound.map((sample, n) => sample + (noise[n] ?? 0));

describe('the judge of noise', () => {
  it('measures the signal-to-noise ratio of a voice independently of its level', () => {
    expect(judgeOutput(clip, mixed).sdrDb).toBeCloseTo(20, 0);
    const softer = mixed.map((sample) => 0.1 * sample);
    expect(judgeOutput(clip, softer).sdrDb).toBeCloseTo(judgeOutput(clip, mixed).sdrDb, 2);
  });

  it('tells how loud pauses are, and the voice', () => {
    const halved = mixed.map((sample, n) => (n < 16_000 ? 0.5 : 1) * sample);
    const [before, after] = [judgeOutput(clip, mixed), judgeOutput(clip, halved)];
    expect(before.pausesDb - after.pausesDb).toBeCloseTo(6.02, 1);
    expect(before.voicedDb).toBeCloseTo(after.voicedDb, 5);
  });

  it('finds how late a sound is, and takes it back', () => {
    const short = sound.subarray(15_000, 18_000);
    const late = new Float32Array(short.length);
    late.set(short.subarray(0, -123), 123);
    expect(measureDelay(short, late)).toBe(123);
    expect(removeDelay(late, 123).subarray(0, -123)).toStrictEqual(short.subarray(0, -123));
  });

  it('counts the steps of a voice that are attenuated', () => {
    const cut = sound.map((sample, n) => (n < 20_000 ? 0.3 * sample : sample));
    expect(attenuatedShare(clip, sound)).toBe(0);
    expect(attenuatedShare(clip, cut)).toBe(25);
  });
});

describe('the judge of levels', () => {
  const wholly = Array.from({ length: 2000 }, () => true);
  const scene = (wantedDb: number) => ({
    name: 'somebody',
    wantedDb,
    speaks: wholly,
    sound: white(Math.sqrt(3) * 10 ** (wantedDb / 20), 320_000),
  });

  it('reports the 10th and 90th percentile of the levels, and their deviation', () => {
    const judge = new LevelJudge();
    for (const wantedDb of [-46, -26, -16]) {
      const one = scene(wantedDb);
      judge.add(one, one.sound);
    }
    const { p10, p90, deviation, pumping, clipped } = judge.stats;
    expect([p10, p90, deviation].map(Math.round)).toStrictEqual([-46, -16, 12]);
    expect(pumping).toBe(0);
    expect(clipped).toBe(0);
  });

  it('notices a gain that moves, and what is clipped', () => {
    const judge = new LevelJudge();
    const one = scene(-16);
    judge.add(
      one,
      one.sound.map((sample, n) => (Math.floor(n / 3200) % 2 === 0 ? 1 : Math.sign(sample))),
    );
    expect(judge.stats.pumping).toBeGreaterThan(0.1);
    expect(judge.stats.clipped).toBe(100);
  });
});
