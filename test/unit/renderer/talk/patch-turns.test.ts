import { expect, it } from 'vitest';
import { patchTurns } from '../../../../renderer/talk/talk-ui-state.ts';
import type { CaptionedTurn, CaptionPatch } from '../../../../shared/talk/captions.ts';

const added = (turn: number): CaptionPatch => ({ turn, added: `${turn}`, heard: 1 });
const newTurns = (count: number): readonly CaptionPatch[] =>
  Array.from({ length: count }, (_, turn) => added(turn));

it('captions are the same whether patches come together or one by one', () => {
  const patches: readonly CaptionPatch[] = [
    ...newTurns(5),
    { turn: 2, added: ' more' },
    { turn: 4, heard: 1, settled: true },
    { turn: 3, cutFrom: 0 },
  ];
  let oneByOne: readonly CaptionedTurn[] = [];
  for (const patch of patches) oneByOne = patchTurns(oneByOne, [patch]);
  expect(patchTurns([], patches)).toEqual(oneByOne);
  expect(oneByOne[2]).toMatchObject({ text: '2 more' });
});

it('a caption patch keeps the identity of other turns and does not change the input list', () => {
  const before = patchTurns([], newTurns(3));
  const after = patchTurns(before, [{ turn: 2, added: '!' }]);
  expect(after[0]).toBe(before[0]);
  expect(before[2]?.text).toBe('2');
});

it('captions keep the newest 2,000 turns, whether these come at once or one by one', () => {
  const many = newTurns(7000);
  const atOnce = patchTurns([], many);
  let oneByOne: readonly CaptionedTurn[] = [];
  for (const patch of many) oneByOne = patchTurns(oneByOne, [patch]);
  for (const turns of [atOnce, oneByOne]) {
    expect(turns.length).toBeGreaterThanOrEqual(2000);
    expect(turns.length).toBeLessThanOrEqual(2200);
    expect(turns.at(-1)?.turn).toBe(6999);
  }
});
