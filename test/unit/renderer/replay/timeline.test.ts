import { describe, expect, it } from 'vitest';
import { createI18n } from '../../../../renderer/i18n/page-language.ts';
import { ribbonColumns } from '../../../../renderer/replay/paint-timeline.ts';
import { adjacentWord } from '../../../../renderer/replay/replay-keys.ts';
import { findMarkNear, momentText } from '../../../../renderer/replay/replay-timeline.tsx';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { CaptionedTurn } from '../../../../shared/talk/talk-view.ts';
import { sampleReplay } from './sample-replay.ts';

const { timeline } = sampleReplay;
const { t } = await createI18n('en');

describe('the ribbon', () => {
  const ribbon = (you: readonly number[], parley: readonly number[] = []) => ({
    everyMs: 50,
    you: Uint8Array.from(you),
    parley: Uint8Array.from(parley),
  });

  it('has the loudest level of each column, relative to the loudest of both voices', () => {
    const { you, parley } = ribbonColumns(ribbon([60, 200, 60, 60], [0, 0, 0, 130]), 200, 2);
    expect([...you]).toEqual([1, 0]);
    expect(parley[0]).toBe(0);
    expect(parley[1]).toBeCloseTo(0.5 ** 1.5, 5);
  });

  it('has no gaps when there are more columns than points, and is empty beyond its end', () => {
    const { you } = ribbonColumns(ribbon([200, 200]), 200, 8);
    expect([...you]).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
  });

  it('is flat for silence, and empty without data', () => {
    expect([...ribbonColumns(ribbon([40, 59]), 100, 2).you]).toEqual([0, 0]);
    expect([...ribbonColumns(ribbon([]), 0, 3).you]).toEqual([0, 0, 0]);
  });
});

describe('a position on the timeline', () => {
  it('finds the nearest mark within the tolerance', () => {
    expect(findMarkNear(timeline.marks, 25_100, 400)?.kind).toBe('interruption');
    expect(findMarkNear(timeline.marks, 25_200, 400)?.kind).toBe('picture');
    expect(findMarkNear(timeline.marks, 25_100, 50)).toBeUndefined();
  });

  it('is described by its event, or else by the speaker', () => {
    expect(momentText(t, timeline, 25_000, 100)).toBe('Interruption');
    expect(momentText(t, timeline, 5000, 100)).toBe('Parley answers');
    expect(momentText(t, timeline, 22_000, 100)).toBe('Parley answers, and is cut off');
    expect(momentText(t, timeline, 15_000, 100)).toBeUndefined();
    const error = appError('noMicrophone');
    const marks = [{ at: 10, kind: 'device', error } as const];
    expect(momentText(t, { ...timeline, marks }, 10, 5)).toMatch(/^Sound device: \w+/u);
  });
});

function turn(number: number, text: string, heard: number, cutFrom?: number): CaptionedTurn {
  return { turn: number, text, heard, cutFrom, settled: cutFrom !== undefined };
}

describe('the adjacent word', () => {
  const turns = [turn(1, 'One two.', 8), turn(2, 'Three, four five', 10)];

  it('is the next or the previous one, without punctuation', () => {
    expect(adjacentWord(turns, 'next', 'en')).toEqual({ turn: 2, offset: 12 });
    expect(adjacentWord(turns, 'previous', 'en')).toEqual({ turn: 2, offset: 0 });
  });

  it('is in the neighbouring turn at either end', () => {
    expect(adjacentWord([turn(1, 'One two.', 8), turn(2, 'Three', 3)], 'previous', 'en')).toEqual({
      turn: 1,
      offset: 4,
    });
    expect(adjacentWord([turn(1, 'One two.', 8), turn(2, 'Three', 0)], 'next', 'en')).toEqual({
      turn: 2,
      offset: 0,
    });
    expect(adjacentWord([turn(1, 'One', 3)], 'previous', 'en')).toBeUndefined();
    expect(adjacentWord([], 'next', 'en')).toBeUndefined();
  });

  it('is never in text that was cut off', () => {
    expect(adjacentWord([turn(1, 'One two three', 7, 7)], 'next', 'en')).toBeUndefined();
  });

  it('is found in Chinese, which has no spaces', () => {
    const chinese = [turn(1, '今天天气很好', 2)];
    const next = adjacentWord(chinese, 'next', 'zh');
    expect(next).toEqual({ turn: 1, offset: 2 });
  });
});
