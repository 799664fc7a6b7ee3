import type { CaptionedTurn } from '../../shared/talk/caption-patch.ts';
import type { CaptionPlace } from './caption-place.ts';

/** Where words begin, in both languages: Chinese has no spaces, and its words are found by a dictionary. */
function wordStarts(text: string, language: string): readonly number[] {
  const words = new Intl.Segmenter(language, { granularity: 'word' });
  return [...words.segment(text)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ index }) => index);
}

/** The word after or before the one that was heard last; over the edge of a turn into the one beside it. */
export function wordBeside(
  turns: readonly CaptionedTurn[],
  way: 'next' | 'previous',
  language: string,
): CaptionPlace | undefined {
  const at = turns.findLastIndex(({ heard }) => heard > 0);
  const turn = turns[at] ?? turns[0];
  if (turn === undefined) return undefined;
  const starts = wordStarts(turn.text, language);
  const current = starts.findLastIndex((start) => start < turn.heard);
  if (way === 'next') {
    const start = starts[current + 1];
    const cut = turn.cutFrom ?? turn.text.length;
    return start === undefined || start >= cut
      ? firstOf(turns[at + 1])
      : { turn: turn.turn, letter: start };
  }
  const start = starts[current - 1];
  return start === undefined ? lastOf(turns[at - 1], language) : { turn: turn.turn, letter: start };
}

function firstOf(turn: CaptionedTurn | undefined): CaptionPlace | undefined {
  return turn === undefined ? undefined : { turn: turn.turn, letter: 0 };
}

function lastOf(turn: CaptionedTurn | undefined, language: string): CaptionPlace | undefined {
  if (turn === undefined) return undefined;
  const letter = wordStarts(turn.text.slice(0, turn.heard), language).at(-1) ?? 0;
  return { turn: turn.turn, letter };
}
