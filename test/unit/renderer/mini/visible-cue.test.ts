import { describe, expect, it } from 'vitest';
import { createCueSelector, findCueStarts } from '../../../../renderer/mini/mini-window.tsx';
import type { CaptionedTurn } from '../../../../shared/talk/talk-view.ts';

const turn = (text: string, heard: number, cutFrom?: number) => ({
  turn: 1,
  text,
  heard,
  cutFrom,
  settled: false,
});
const visibleCue = (turn: CaptionedTurn) => createCueSelector()(turn);
const cues = (text: string): readonly string[] => {
  const starts = findCueStarts(text);
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
};
const long =
  'Of course. The light turns once in ten seconds, and on a clear night you can see it from afar. It was built long ago by people whose names nobody has kept, and it still stands.';

describe('the visible cue', () => {
  it('breaks after a sentence if that fills half of it, or else between words', () => {
    expect(cues(long)).toEqual([
      'Of course. The light turns once in ten seconds, and on a clear night you can see it ',
      'from afar. It was built long ago by people whose names nobody has kept, and it still ',
      'stands.',
    ]);
    expect(
      cues(
        'One sentence that fills more than half of the lines. And another one that is long as well.',
      ),
    ).toEqual([
      'One sentence that fills more than half of the lines. ',
      'And another one that is long as well.',
    ]);
  });

  it('holds half as many Chinese characters', () => {
    const text = '当然可以，'.repeat(20);
    for (const cue of cues(text)) expect(cue.length).toBeLessThanOrEqual(42);
    expect(cues(text).join('')).toBe(text);
  });

  it('loses no text and terminates for any text', () => {
    for (const text of ['', ' ', 'x'.repeat(500), '👩‍👩‍👧‍👦'.repeat(200), '. '.repeat(300)]) {
      expect(cues(text).join('')).toBe(text);
    }
  });

  it('stays while it is heard, and after all was heard', () => {
    expect(visibleCue(turn(long, 3)).heard).toBe('Of ');
    expect(visibleCue(turn(long, 80)).coming).toBe(' it ');
    const next = visibleCue(turn(long, 90));
    expect(next.heard).toBe('from a');
    expect(next.coming).toMatch(/^far\. It was/);
    expect(visibleCue(turn(long, long.length))).toEqual({ heard: 'stands.', coming: '', cut: '' });
  });

  it('shows cut words as cut', () => {
    const { heard, coming, cut } = visibleCue(turn(long, 20, 20));
    expect(heard + coming).toBe('Of course. The light ');
    expect(cut).toMatch(/^turns once/);
  });

  it('is the same for a growing text as for a complete one', () => {
    const all = `${long} 当然可以，${'One. '.repeat(30)}${long}`;
    const growing = createCueSelector();
    for (let letters = 0; letters <= all.length; letters += 7) {
      const text = all.slice(0, letters);
      for (const heard of [0, letters >> 1, letters])
        expect(growing(turn(text, heard))).toEqual(visibleCue(turn(text, heard)));
    }
    // Another talk can start with the same turn number.
    expect(growing(turn('No.', 0)).coming).toBe('No.');
  });
});
