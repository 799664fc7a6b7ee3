import { describe, expect, it } from 'vitest';
import {
  LevelHistory,
  levelLoudness,
} from '../../../../../renderer/talk/waveform/level-history.ts';

function spoken(milliseconds: number): LevelHistory {
  const trail = new LevelHistory();
  for (let at = 0; at <= milliseconds; at += 50) trail.push(-14, at);
  return trail;
}

describe('the waveform of a voice', () => {
  it('is nothing before a sound, for silence, and for what is no number', () => {
    const trail = new LevelHistory();
    expect([trail.thickness(0, 0), trail.gone(0)]).toEqual([0, true]);
    trail.push(Number.NEGATIVE_INFINITY, 100);
    trail.push(Number.NaN, 150);
    expect([trail.thickness(0, 210), trail.gone(210)]).toEqual([0, true]);
    expect([levelLoudness(-90), levelLoudness(-14), levelLoudness(3)]).toEqual([0, 1, 1]);
  });

  it('begins at its edge and moves on from there', () => {
    const trail = spoken(400);
    expect(trail.thickness(0, 400)).toBeGreaterThan(0.9);
    expect(trail.thickness(0.5, 400)).toBe(0);
    expect(trail.thickness(0.5, 1200)).toBeGreaterThan(0.3);
  });

  it('begins at its edge also where nothing was told of the silence before it', () => {
    const trail = spoken(400);
    trail.push(-25, 4000);
    const along = [0.1, 0.3, 0.5, 0.9].map((distance) => trail.thickness(distance, 4130));
    expect(along).toEqual([0, 0, 0, 0]);
    expect(trail.thickness(0, 4130)).toBeGreaterThan(0.5);
  });

  it('thins out on its way and ends in nothing', () => {
    const trail = spoken(2300);
    const widths = [0, 0.25, 0.5, 0.75, 1].map((distance) => trail.thickness(distance, 2300));
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
    expect(widths.at(-1)).toBe(0);
  });

  it('is gone, so that nothing need be painted, once the last of it has passed', () => {
    const trail = spoken(400);
    expect(trail.gone(1000)).toBe(false);
    expect(trail.gone(400 + 1860 - 50)).toBe(false);
    expect(trail.gone(2400)).toBe(true);
  });

  it('has no jumps where a busy machine hands several levels over at once', () => {
    const trail = new LevelHistory();
    for (let at = 0; at <= 1900; at += 50) {
      const batch = Math.ceil(at / 300) * 300;
      trail.push(at % 200 === 0 ? -16 : -40, batch);
    }
    const widths = Array.from({ length: 500 }, (_, step) => trail.thickness(step / 500, 2100));
    const steps = widths.slice(1).map((width, step) => Math.abs(width - (widths[step] ?? 0)));
    // One of these steps is 3.4 ms long; a level takes 50 to be another one.
    expect(Math.max(...steps)).toBeLessThan(0.06);
    expect(Math.max(...widths)).toBeGreaterThan(0.5);
  });

  it('is the same in whatever order it is looked at', () => {
    const trail = new LevelHistory();
    for (let at = 0; at <= 2000; at += 50) trail.push(at % 150 === 0 ? -16 : -40, at);
    const along = Array.from({ length: 100 }, (_, step) => step / 100);
    const forth = along.map((distance) => trail.thickness(distance, 2100));
    const back = along.toReversed().map((distance) => trail.thickness(distance, 2100));
    expect(back.toReversed()).toEqual(forth);
    expect(Math.max(...forth)).toBeGreaterThan(0.5);
  });

  it('has no jumps between two levels', () => {
    const trail = new LevelHistory();
    for (let at = 0; at <= 2000; at += 50) trail.push(at % 200 === 0 ? -16 : -40, at);
    let before = trail.thickness(0, 1500);
    for (let now = 1501; now < 1900; now += 1) {
      const next = trail.thickness(0, now);
      expect(Math.abs(next - before)).toBeLessThan(0.04);
      before = next;
    }
  });
});
