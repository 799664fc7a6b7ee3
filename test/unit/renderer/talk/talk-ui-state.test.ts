import { describe, expect, it } from 'vitest';
import {
  endingTitle,
  noSpokenTurns,
  patchTurns,
  type SpokenTurns,
  updateSpokenTurns,
} from '../../../../renderer/talk/talk-ui-state.ts';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import type { CaptionedTurn, CaptionPatch } from '../../../../shared/talk/captions.ts';
import type { Floor } from '../../../../shared/talk/talk-state.ts';

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

/** The spoken turns after these changes of the floor, in seconds, with Parley's newest turn. */
function turnsAfter(...steps: readonly (readonly [at: number, floor: Floor, newest?: number])[]) {
  return steps.reduce<SpokenTurns>(
    (spoken, [at, floor, newest]) => updateSpokenTurns(spoken, floor, newest, at * 1000),
    noSpokenTurns,
  ).turns;
}

describe('the spoken turns', () => {
  it('have a length and follow the newest turn at their beginning', () => {
    expect(turnsAfter([1, 'you', 3], [5, 'nobody', 4])).toEqual([
      { at: 1000, seconds: 4, after: 3 },
    ]);
    expect(turnsAfter([1, 'you'], [2, 'both', 1], [4, 'parley', 1])).toEqual([
      { at: 1000, seconds: 3, after: undefined },
    ]);
  });

  it('skip a cough, and join speech across a breath', () => {
    expect(turnsAfter([1, 'you'], [1.5, 'nobody'])).toEqual([]);
    expect(turnsAfter([1, 'you', 2], [3, 'nobody', 2], [4, 'you', 2], [4.5, 'nobody', 2])).toEqual([
      { at: 1000, seconds: 2.5, after: 2 },
    ]);
    expect(
      turnsAfter([1, 'you', 2], [3, 'parley', 2], [6, 'you', 3], [8, 'nobody', 3]),
    ).toHaveLength(2);
  });
});

it('the headline of an ended talk names who or what ended it', () => {
  const ending = { error: sessionError('x'), by: 'server', orderly: true } as const;
  expect(endingTitle(ending, 'none')).toBe('server');
  expect(endingTitle({ ...ending, error: sessionError('timeout') }, 'continue')).toBe('limit');
  expect(endingTitle({ ...ending, error: sessionError('context_full') }, 'continue')).toBe(
    'context',
  );
  expect(endingTitle(ending, 'checkToken')).toBe('token');
  expect(endingTitle({ ...ending, by: 'network' }, 'checkEndpoint')).toBe('endpoint');
});
