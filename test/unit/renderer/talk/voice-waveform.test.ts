import { describe, expect, it } from 'vitest';
import { LevelMeter } from '../../../../electron/audio/dsp/loudness.ts';
import { voiceHeight } from '../../../../renderer/talk/microphone-level-bar.tsx';
import { LevelHistory, queueProgress } from '../../../../renderer/talk/voice-waveform.tsx';

function speakFor(milliseconds: number): LevelHistory {
  const history = new LevelHistory();
  for (let at = 0; at <= milliseconds; at += 50) history.push(-6, at);
  return history;
}

/** The history 2 s into a noise at the loudness of an ordinary voice, modulated at the given rate. */
function modulated(hertz: number, rate = 16_000): LevelHistory {
  const history = new LevelHistory();
  let at = 0;
  const meter = new LevelMeter(rate, ({ rmsDb, halvesDb }) => {
    at += 50;
    history.push(rmsDb, at, halvesDb);
  });
  const envelope = (n: number): number => 0.5 - 0.45 * Math.cos((2 * Math.PI * hertz * n) / rate);
  // An RMS of −26 dBFS, like an ordinary voice at a microphone.
  meter.push(
    Float32Array.from({ length: 2 * rate }, (_, n) => (n % 2 === 0 ? 0.084 : -0.084) * envelope(n)),
  );
  return history;
}

/** Counts the peaks that exceed 10/7 of the valley before them and fall as far again. */
function countSyllables(history: LevelHistory): number {
  let [count, rising, extreme] = [0, true, 0];
  // The first half of the waveform, which covers 0.85 s.
  for (let step = 0; step < 400; step += 1) {
    const here = history.thickness(step / 800, 2000);
    extreme = rising ? Math.max(extreme, here) : Math.min(extreme, here);
    if (rising ? here > 0.7 * extreme : here < extreme / 0.7) continue;
    if (rising) count += 1;
    rising = !rising;
    extreme = here;
  }
  return count;
}

describe('the height of a voice', () => {
  it('is linear in decibels, from silence to full height', () => {
    expect([-90, -60, -33, -6, 3].map(voiceHeight)).toEqual([0, 0, 0.5, 1, 1]);
    expect(voiceHeight(Number.NaN)).toBe(0);
    expect(voiceHeight(-26) - voiceHeight(-36)).toBeCloseTo(voiceHeight(-16) - voiceHeight(-26), 9);
  });

  it('is more than half for an ordinary voice', () => {
    expect(voiceHeight(-26)).toBeGreaterThan(0.5);
    const history = new LevelHistory();
    for (let at = 0; at <= 400; at += 50) history.push(-26, at);
    expect(history.thickness(0, 400)).toBeGreaterThan(0.5);
  });
});

describe('the level history', () => {
  it.each([4, 5, 6, 8])('shows each of %i syllables in a second', (hertz) => {
    const history = modulated(hertz);
    const expected = 0.85 * hertz;
    expect(countSyllables(history)).toBeGreaterThanOrEqual(Math.floor(expected));
    expect(countSyllables(history)).toBeLessThanOrEqual(Math.ceil(expected));
    const highest = Math.max(
      ...Array.from({ length: 20 }, (_, at) => history.thickness(at / 100, 2000)),
    );
    expect(highest).toBeGreaterThan(0.5);
  });

  it('is flat before the first sound, for silence, and for NaN', () => {
    const history = new LevelHistory();
    expect([history.thickness(0, 0), history.isGone(0)]).toEqual([0, true]);
    history.push(Number.NEGATIVE_INFINITY, 100);
    history.push(Number.NaN, 150);
    expect([history.thickness(0, 210), history.isGone(210)]).toEqual([0, true]);
  });

  it('starts at the edge and moves along the waveform', () => {
    const history = speakFor(400);
    expect(history.thickness(0, 400)).toBeGreaterThan(0.9);
    expect(history.thickness(0.5, 400)).toBe(0);
    expect(history.thickness(0.5, 1200)).toBeGreaterThan(0.3);
  });

  it('starts at the edge even after a gap without levels', () => {
    const history = speakFor(400);
    history.push(-25, 4000);
    const along = [0.1, 0.3, 0.5, 0.9].map((distance) => history.thickness(distance, 4130));
    expect(along).toEqual([0, 0, 0, 0]);
    expect(history.thickness(0, 4130)).toBeGreaterThan(0.5);
  });

  it('thins out to zero', () => {
    const history = speakFor(2300);
    const widths = [0, 0.25, 0.5, 0.75, 1].map((distance) => history.thickness(distance, 2300));
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
    expect(widths.at(-1)).toBe(0);
  });

  it('is flat once the last sound has left the visible range', () => {
    const history = speakFor(400);
    expect(history.isGone(1000)).toBe(false);
    expect(history.isGone(400 + 1860 - 50)).toBe(false);
    expect(history.isGone(2400)).toBe(true);
  });

  it('has no jumps when several levels arrive at once', () => {
    const history = new LevelHistory();
    for (let at = 0; at <= 1900; at += 50) {
      const batch = Math.ceil(at / 300) * 300;
      history.push(at % 200 === 0 ? -16 : -40, batch);
    }
    const widths = Array.from({ length: 500 }, (_, step) => history.thickness(step / 500, 2100));
    const steps = widths.slice(1).map((width, step) => Math.abs(width - (widths[step] ?? 0)));
    // Each step is 3.4 ms; half a level takes about seven of them.
    expect(Math.max(...steps)).toBeLessThan(0.1);
    expect(Math.max(...widths)).toBeGreaterThan(0.5);
  });

  it('gives the same heights in any order of lookup', () => {
    const history = new LevelHistory();
    for (let at = 0; at <= 2000; at += 50) history.push(at % 150 === 0 ? -16 : -40, at);
    const along = Array.from({ length: 100 }, (_, step) => step / 100);
    const forth = along.map((distance) => history.thickness(distance, 2100));
    const back = along.toReversed().map((distance) => history.thickness(distance, 2100));
    expect(back.toReversed()).toEqual(forth);
    expect(Math.max(...forth)).toBeGreaterThan(0.5);
  });

  it('has no jumps between two levels', () => {
    const history = new LevelHistory();
    for (let at = 0; at <= 2000; at += 50) history.push(at % 200 === 0 ? -16 : -40, at);
    let before = history.thickness(0, 1500);
    for (let now = 1501; now < 1900; now += 1) {
      const next = history.thickness(0, now);
      expect(Math.abs(next - before)).toBeLessThan(0.04);
      before = next;
    }
  });
});

it('the progress through the queue follows from position and length', () => {
  const queued = (position?: number, length?: number) =>
    queueProgress({ phase: 'queued', position, length, etaSeconds: undefined });
  expect([queued(7, 7), queued(1, 7)]).toEqual([0.125, 0.875]);
  expect([queued(), queued(3, 0), queued(9, 2)]).toEqual([0, 0, 0]);
  expect(queueProgress({ phase: 'live' })).toBeUndefined();
});
