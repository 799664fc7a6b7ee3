import { describe, expect, it } from 'vitest';
import {
  noSpokenTurns,
  type SpokenTurns,
  updateSpokenTurns,
} from '../../../../renderer/talk/talk-ui-state.ts';
import type { Floor } from '../../../../shared/talk/talk-state.ts';

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
