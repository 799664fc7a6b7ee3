import { expect, it } from 'vitest';
import { patchTurns } from '../../../../renderer/talk/talk-ui-state.ts';
import type { CaptionedTurn, CaptionPatch } from '../../../../shared/talk/caption-patch.ts';

const added = (turn: number): CaptionPatch => ({ turn, added: `${turn}`, heard: 1 });
const flood = (count: number): readonly CaptionPatch[] =>
  Array.from({ length: count }, (_, turn) => added(turn));

it('makes the same of patches together as of each by itself', () => {
  const patches: readonly CaptionPatch[] = [
    ...flood(5),
    { turn: 2, added: ' more' },
    { turn: 4, heard: 1, settled: true },
    { turn: 3, cutFrom: 0 },
  ];
  let apart: readonly CaptionedTurn[] = [];
  for (const patch of patches) apart = patchTurns(apart, [patch]);
  expect(patchTurns([], patches)).toEqual(apart);
  expect(apart[2]).toMatchObject({ text: '2 more' });
});

it('leaves the turns it does not touch the very same, and the list as it was', () => {
  const before = patchTurns([], flood(3));
  const after = patchTurns(before, [{ turn: 2, added: '!' }]);
  expect(after[0]).toBe(before[0]);
  expect(before[2]?.text).toBe('2');
});

it('keeps the newest two thousand, whether they come at once or one by one', () => {
  const many = flood(7000);
  const atOnce = patchTurns([], many);
  let apart: readonly CaptionedTurn[] = [];
  for (const patch of many) apart = patchTurns(apart, [patch]);
  for (const turns of [atOnce, apart]) {
    expect(turns.length).toBeGreaterThanOrEqual(2000);
    expect(turns.length).toBeLessThanOrEqual(2200);
    expect(turns.at(-1)?.turn).toBe(6999);
  }
});
