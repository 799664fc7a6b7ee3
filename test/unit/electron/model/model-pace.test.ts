import { expect, test } from 'vitest';
import { judgePace } from '../../../../electron/model/model-pace.ts';

function stepsWithTwoAt(milliseconds: number): readonly number[] {
  return [...Array.from({ length: 8 }, () => 500), milliseconds, milliseconds];
}

test('fewer than ten steps have no verdict', () => {
  expect(judgePace(stepsWithTwoAt(500).slice(1))).toBeUndefined();
});

test.each([
  [700, 'voice'],
  [701, 'fewPictures'],
  [900, 'fewPictures'],
  [901, 'chatOnly'],
] as const)('two of ten steps at %d ms: %s', (milliseconds, verdict) => {
  expect(judgePace(stepsWithTwoAt(milliseconds))).toEqual({
    medianMs: 500,
    p90Ms: milliseconds,
    verdict,
  });
});

test('one slow step of ten does not count', () => {
  expect(judgePace([...Array.from({ length: 9 }, () => 500), 4000])?.verdict).toBe('voice');
});
