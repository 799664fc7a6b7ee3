import { expect, it } from 'vitest';
import { CaptionAssembler } from '../../../../../../electron/hosts/terminal/views/terminal-view.ts';
import type { CaptionPatch } from '../../../../../../shared/talk/captions.ts';

/** The caption after these patches: turn, spoken and upcoming. */
function shown(...patches: readonly CaptionPatch[]): readonly unknown[] {
  const lines: unknown[] = [];
  const line = new CaptionAssembler(({ turn, spoken, upcoming }) => {
    lines.push([turn, spoken, upcoming]);
  });
  for (const patch of patches) line.patch(patch);
  return lines;
}

it('advances word by word without repetition', () => {
  expect(
    shown(
      { turn: 1, added: 'Hello' },
      { turn: 1, added: ' there.' },
      { turn: 1, heard: 5 },
      { turn: 1, heard: 12 },
      { turn: 1, settled: true },
    ),
  ).toEqual([
    [1, '', 'Hello'],
    [1, '', 'Hello there.'],
    [1, 'Hello', 'there.'],
    [1, 'Hello there.', ''],
  ]);
});

it('stays with a turn until it has been heard', () => {
  expect(
    shown(
      { turn: 1, added: 'one' },
      { turn: 2, added: 'two' },
      { turn: 1, heard: 3, settled: true },
      { turn: 2, heard: 3 },
    ),
  ).toEqual([
    [1, '', 'one'],
    [1, 'one', ''],
    [2, '', 'two'],
    [2, 'two', ''],
  ]);
});

it('omits cut text, and continues a cut turn after its heard text', () => {
  expect(
    shown(
      { turn: 1, added: 'one two three' },
      { turn: 1, heard: 7, cutFrom: 7, settled: true },
      { turn: 1, added: ' four' },
      { turn: 1, heard: 5 },
    ),
  ).toEqual([
    [1, '', 'one two three'],
    [1, 'one two', ''],
    [1, 'one two', 'four'],
    [1, 'one two four', ''],
  ]);
});

it('does not print a whole long answer for each delta', () => {
  const far = 'x'.repeat(1000);
  expect(shown({ turn: 1, added: far }, { turn: 1, added: 'y' }, { turn: 1, heard: 1 })).toEqual([
    [1, '', far],
    [1, 'x', `${far.slice(1)}y`],
  ]);
});
