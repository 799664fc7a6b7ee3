import { describe, expect, it } from 'vitest';
import {
  appendToRun,
  type PlayoutRun,
} from '../../../../../electron/audio/playback/playout-buffer.ts';
import { numbered } from '../devices/sound-stage.ts';

function run(from: number, length: number, turn: number | undefined = 1): PlayoutRun {
  const samples = numbered(from, length);
  return { from, turn, samples, sound: samples.map((sample) => -sample) };
}

describe('a short piece', () => {
  it('is appended to the previous short one, in both versions', () => {
    const last = run(7, 2);
    expect(appendToRun(last, run(9, 3))).toBe(true);
    expect([...last.samples]).toEqual([8, 9, 10, 11, 12]);
    expect([...last.sound]).toEqual([-8, -9, -10, -11, -12]);
  });

  it('fills a buffer up to ten long pieces', () => {
    const last = run(0, 200);
    for (let from = 200; from < 2400; from += 200)
      expect(appendToRun(last, run(from, 200))).toBe(true);
    expect(appendToRun(last, run(2400, 1))).toBe(false);
    expect([...last.samples]).toEqual([...numbered(0, 2400)]);
  });

  it('is not appended to a long one', () => {
    expect(appendToRun(run(0, 239), run(239, 1))).toBe(true);
    expect(appendToRun(run(0, 240), run(240, 1))).toBe(false);
  });

  it('is not appended to another turn or to inserted sound', () => {
    expect(appendToRun(run(0, 5), run(5, 1, 2))).toBe(false);
    expect(appendToRun({ ...run(0, 5), turn: undefined }, run(5, 1))).toBe(false);
  });

  it('is not appended out of order', () => {
    const last = run(0, 5);
    for (const from of [4, 6]) expect(appendToRun(last, run(from, 1))).toBe(false);
    expect(appendToRun(undefined, run(0, 1))).toBe(false);
    expect(last.samples).toHaveLength(5);
  });
});
