import type { CaptionedTurn } from '../../shared/talk/caption-patch.ts';

interface CaptionPosition {
  readonly turn: number;
  readonly offset: number;
}

export function captionPositionAt(x: number, y: number): CaptionPosition | undefined {
  const caret = document.caretPositionFromPoint(x, y);
  if (caret === null) return undefined;
  const line = caret.offsetNode.parentElement?.closest<HTMLElement>('.caption') ?? undefined;
  if (line === undefined) return undefined;
  const before = spokenLengthBefore(line, caret.offsetNode);
  if (before === undefined) return undefined;
  const { turn, from } = line.dataset;
  return { turn: Number(turn), offset: Number(from) + before + caret.offset };
}

/** Skips text that only screen readers get. */
function spokenLengthBefore(line: HTMLElement, node: Node): number | undefined {
  const words = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let length = 0;
  for (let text = words.nextNode(); text !== null; text = words.nextNode()) {
    const spoken = (text.parentElement?.closest('.only-heard') ?? undefined) === undefined;
    if (text === node) return spoken ? length : undefined;
    if (spoken) length += text.textContent?.length ?? 0;
  }
  return undefined;
}

/** Offsets of word starts. A segmenter finds them in Chinese too, which has no spaces. */
function wordStarts(text: string, language: string): readonly number[] {
  const words = new Intl.Segmenter(language, { granularity: 'word' });
  return [...words.segment(text)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ index }) => index);
}

/** The word after or before the last heard one; continues in the neighbouring turn. */
export function adjacentWord(
  turns: readonly CaptionedTurn[],
  direction: 'next' | 'previous',
  language: string,
): CaptionPosition | undefined {
  const at = turns.findLastIndex(({ heard }) => heard > 0);
  const turn = turns[at] ?? turns[0];
  if (turn === undefined) return undefined;
  const starts = wordStarts(turn.text, language);
  const current = starts.findLastIndex((start) => start < turn.heard);
  if (direction === 'next') {
    const start = starts[current + 1];
    const cut = turn.cutFrom ?? turn.text.length;
    return start === undefined || start >= cut
      ? firstWord(turns[at + 1])
      : { turn: turn.turn, offset: start };
  }
  const start = starts[current - 1];
  return start === undefined
    ? lastHeardWord(turns[at - 1], language)
    : { turn: turn.turn, offset: start };
}

function firstWord(turn: CaptionedTurn | undefined): CaptionPosition | undefined {
  return turn === undefined ? undefined : { turn: turn.turn, offset: 0 };
}

function lastHeardWord(
  turn: CaptionedTurn | undefined,
  language: string,
): CaptionPosition | undefined {
  if (turn === undefined) return undefined;
  const start = wordStarts(turn.text.slice(0, turn.heard), language).at(-1) ?? 0;
  return { turn: turn.turn, offset: start };
}
