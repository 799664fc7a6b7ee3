import { describe, expect, it } from 'vitest';
import { LevelMeter } from '../../../../electron/audio/dsp/level-meter.ts';
import { voiceHeight } from '../../../../renderer/app/store.ts';
import { LevelHistory } from '../../../../renderer/talk/voice-waveform.tsx';

function spoken(milliseconds: number): LevelHistory {
  const trail = new LevelHistory();
  for (let at = 0; at <= milliseconds; at += 50) trail.push(-6, at);
  return trail;
}

/** What is heard 1.7 s after a noise of an ordinary loudness began that rises and falls so many times a second. */
function modulated(hertz: number, rate = 16_000): LevelHistory {
  const trail = new LevelHistory();
  let at = 0;
  const meter = new LevelMeter(rate, ({ rmsDb, halvesDb }) => {
    at += 50;
    trail.push(rmsDb, at, halvesDb);
  });
  const swing = (n: number): number => 0.5 - 0.45 * Math.cos((2 * Math.PI * hertz * n) / rate);
  // Its root mean square is −26 dBFS, as a microphone hears an ordinary voice.
  meter.push(
    Float32Array.from({ length: 2 * rate }, (_, n) => (n % 2 === 0 ? 0.084 : -0.084) * swing(n)),
  );
  return trail;
}

/** How often it rises to more than ten sevenths of the valley before it, and falls as far again. */
function syllablesSeen(trail: LevelHistory): number {
  let [seen, rising, extreme] = [0, true, 0];
  // Over half of its way, which takes 0.85 s.
  for (let step = 0; step < 400; step += 1) {
    const here = trail.thickness(step / 800, 2000);
    extreme = rising ? Math.max(extreme, here) : Math.min(extreme, here);
    if (rising ? here > 0.7 * extreme : here < extreme / 0.7) continue;
    if (rising) seen += 1;
    rising = !rising;
    extreme = here;
  }
  return seen;
}

describe('how high a voice is', () => {
  it('goes by decibels alone, from silence to full', () => {
    expect([-90, -60, -33, -6, 3].map(voiceHeight)).toEqual([0, 0, 0.5, 1, 1]);
    expect(voiceHeight(Number.NaN)).toBe(0);
    expect(voiceHeight(-26) - voiceHeight(-36)).toBeCloseTo(voiceHeight(-16) - voiceHeight(-26), 9);
  });

  it('is more than half of the band for a person at an ordinary loudness', () => {
    expect(voiceHeight(-26)).toBeGreaterThan(0.5);
    const trail = new LevelHistory();
    for (let at = 0; at <= 400; at += 50) trail.push(-26, at);
    expect(trail.thickness(0, 400)).toBeGreaterThan(0.5);
  });
});

describe('the waveform of a voice', () => {
  it.each([4, 5, 6, 8])('shows each of %i syllables in a second', (hertz) => {
    const trail = modulated(hertz);
    const expected = 0.85 * hertz;
    expect(syllablesSeen(trail)).toBeGreaterThanOrEqual(Math.floor(expected));
    expect(syllablesSeen(trail)).toBeLessThanOrEqual(Math.ceil(expected));
    const highest = Math.max(
      ...Array.from({ length: 20 }, (_, at) => trail.thickness(at / 100, 2000)),
    );
    expect(highest).toBeGreaterThan(0.5);
  });

  it('is nothing before a sound, for silence, and for what is no number', () => {
    const trail = new LevelHistory();
    expect([trail.thickness(0, 0), trail.gone(0)]).toEqual([0, true]);
    trail.push(Number.NEGATIVE_INFINITY, 100);
    trail.push(Number.NaN, 150);
    expect([trail.thickness(0, 210), trail.gone(210)]).toEqual([0, true]);
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
    // One of these steps is 3.4 ms long; half a level takes 25 to be another one.
    expect(Math.max(...steps)).toBeLessThan(0.1);
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
