import { describe, expect, it } from 'vitest';
import { adjacentWord } from '../../../../renderer/replay/replay-keys.ts';
import type { CaptionedTurn } from '../../../../shared/talk/captions.ts';

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
