import { describe, expect, it } from 'vitest';
import {
  nothingSpoken,
  type SpokenTurns,
  withFloor,
} from '../../../../renderer/talk/talk-ui-state.ts';
import type { Floor } from '../../../../shared/talk/talk-state.ts';

/** Who has the floor from when on, in seconds, and Parley's newest turn then. */
function told(...steps: readonly (readonly [at: number, floor: Floor, newest?: number])[]) {
  return steps.reduce<SpokenTurns>(
    (spoken, [at, floor, newest]) => withFloor(spoken, floor, newest, at * 1000),
    nothingSpoken,
  ).turns;
}

describe('when the person spoke', () => {
  it('is a mark with its seconds, after the turn that was the newest when it began', () => {
    expect(told([1, 'you', 3], [5, 'nobody', 4])).toEqual([{ at: 1000, seconds: 4, after: 3 }]);
    expect(told([1, 'you'], [2, 'both', 1], [4, 'parley', 1])).toEqual([
      { at: 1000, seconds: 3, after: undefined },
    ]);
  });

  it('is none for a cough, and one for a thought with a breath in it', () => {
    expect(told([1, 'you'], [1.5, 'nobody'])).toEqual([]);
    expect(told([1, 'you', 2], [3, 'nobody', 2], [4, 'you', 2], [4.5, 'nobody', 2])).toEqual([
      { at: 1000, seconds: 2.5, after: 2 },
    ]);
    expect(told([1, 'you', 2], [3, 'parley', 2], [6, 'you', 3], [8, 'nobody', 3])).toHaveLength(2);
  });
});
