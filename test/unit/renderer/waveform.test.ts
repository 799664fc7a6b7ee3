import { describe, expect, it } from 'vitest';
import { LevelMeter } from '../../../electron/audio/dsp/loudness.ts';
import { voiceHeight } from '../../../renderer/talk/microphone-level-bar.tsx';
import { LevelHistory, queueProgress } from '../../../renderer/talk/voice-waveform.tsx';

/** A history of levels, 50 ms apart. */
function historyOf(milliseconds: number, levelAt: (at: number) => number = () => -6): LevelHistory {
  const history = new LevelHistory();
  for (let at = 0; at <= milliseconds; at += 50) history.push(levelAt(at), at);
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

it('the height of a voice is linear in decibels, from silence to full height', () => {
  expect([-90, -60, -33, -6, 3, Number.NaN].map(voiceHeight)).toEqual([0, 0, 0.5, 1, 1, 0]);
});

describe('the level history', () => {
  it.each([4, 5, 6, 8])('shows each syllable of a voice with %i syllables a second', (hertz) => {
    const history = modulated(hertz);
    expect(Math.abs(countSyllables(history) - 0.85 * hertz)).toBeLessThan(1);
    const heights = Array.from({ length: 20 }, (_, at) => history.thickness(at / 100, 2000));
    expect(Math.max(...heights)).toBeGreaterThan(0.5);
  });

  it('is flat before the first sound, for silence, and for NaN', () => {
    const history = new LevelHistory();
    expect([history.thickness(0, 0), history.isGone(0)]).toEqual([0, true]);
    history.push(Number.NEGATIVE_INFINITY, 100);
    history.push(Number.NaN, 150);
    expect([history.thickness(0, 210), history.isGone(210)]).toEqual([0, true]);
  });

  it('starts at the edge even after a gap without levels, and moves along', () => {
    const history = historyOf(400);
    expect([history.thickness(0, 400) > 0.9, history.thickness(0.5, 400)]).toEqual([true, 0]);
    expect(history.thickness(0.5, 1200)).toBeGreaterThan(0.3);
    history.push(-25, 4000);
    const along = [0.1, 0.3, 0.5, 0.9].map((distance) => history.thickness(distance, 4130));
    expect(along).toEqual([0, 0, 0, 0]);
    expect(history.thickness(0, 4130)).toBeGreaterThan(0.5);
  });

  it('thins out to zero, and becomes flat when the last sound has left the visible range', () => {
    const history = historyOf(2300);
    const widths = [0, 0.25, 0.5, 0.75, 1].map((distance) => history.thickness(distance, 2300));
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
    expect(widths.at(-1)).toBe(0);
    const short = historyOf(400);
    expect([1000, 2210, 2400].map((now) => short.isGone(now))).toEqual([false, false, true]);
  });

  it('has no jumps between two levels, or when several arrive at once', () => {
    const loudness = (at: number) => (at % 200 === 0 ? -16 : -40);
    const history = historyOf(2000, loudness);
    for (let now = 1501; now < 1900; now += 1)
      expect(Math.abs(history.thickness(0, now) - history.thickness(0, now - 1))).toBeLessThan(
        0.04,
      );

    const batched = new LevelHistory();
    for (let at = 0; at <= 1900; at += 50) batched.push(loudness(at), Math.ceil(at / 300) * 300);
    const widths = Array.from({ length: 500 }, (_, step) => batched.thickness(step / 500, 2100));
    const steps = widths.slice(1).map((width, step) => Math.abs(width - (widths[step] ?? 0)));
    // Each step is 3.4 ms. Half of the change between two levels, which are 50 ms apart, takes about seven steps.
    expect(Math.max(...steps)).toBeLessThan(0.1);
    expect(Math.max(...widths)).toBeGreaterThan(0.5);
  });
});

it('the progress through the queue follows from position and length', () => {
  const queued = (position?: number, length?: number) =>
    queueProgress({ phase: 'queued', position, length, etaSeconds: undefined });
  expect([queued(7, 7), queued(1, 7)]).toEqual([0.125, 0.875]);
  expect([queued(), queued(3, 0), queued(9, 2)]).toEqual([0, 0, 0]);
  expect(queueProgress({ phase: 'live' })).toBeUndefined();
});
