import { cutAfterSentence } from '../../../shared/sentences.ts';
import type { CaptionedTurn } from '../../../shared/talk/caption-patch.ts';
import { type CaptionParts, toCaptionParts, sliceCaptionParts } from './caption-text.tsx';

/** About a minute of speech. Longer turns are split, because each new word lays out its whole paragraph again. */
const maxRowLength = 1000;
/** A row is not cut before this length, because a short row would look like a separate turn. */
const minRowLength = 600;

/** A turn, or part of a very long turn, as one row of the list. */
export interface CaptionRow {
  readonly key: string;
  readonly index: number;
  readonly from: number;
  /** Undefined for the turn's last row, which grows with the turn. */
  readonly to: number | undefined;
}

interface CutTurn {
  readonly turn: CaptionedTurn;
  readonly ends: readonly number[];
}

/** Splits turns into rows. Returns the same array as long as no row is added or removed. */
export class CaptionRows {
  #turns: readonly CaptionedTurn[] = [];
  #cut: readonly CutTurn[] = [];
  #rows: readonly CaptionRow[] = [];

  readonly update = (turns: readonly CaptionedTurn[]): readonly CaptionRow[] => {
    if (turns === this.#turns) return this.#rows;
    const known = this.#cut;
    const shift = known.findIndex(({ turn }) => turn.turn === turns[0]?.turn);
    const cut = turns.map((turn, index) =>
      cutTurn(turn, shift < 0 ? undefined : known[index + shift]),
    );
    const isUnchanged =
      shift === 0 &&
      cut.length === known.length &&
      cut.every(
        ({ turn, ends }, index) =>
          turn.turn === known[index]?.turn.turn && ends === known[index].ends,
      );
    this.#turns = turns;
    this.#cut = cut;
    if (!isUnchanged) this.#rows = cut.flatMap(toRows);
    return this.#rows;
  };
}

const none: readonly number[] = [];

function cutTurn(turn: CaptionedTurn, known: CutTurn | undefined): CutTurn {
  if (known?.turn === turn) return known;
  if (turn.text.length <= maxRowLength) return { turn, ends: none };
  const before = known?.turn;
  const hasGrown = before?.turn === turn.turn && turn.text.startsWith(before.text);
  const ends = hasGrown ? known?.ends : undefined;
  return { turn, ends: rowEnds(turn.text, ends ?? none) };
}

/** The offsets at which rows end, except the last row. Text that is appended later changes none of them. */
function rowEnds(text: string, known: readonly number[]): readonly number[] {
  const ends: number[] = [];
  for (let from = known.at(-1) ?? 0; text.length - from > maxRowLength;) {
    from += cutAfterSentence(text.slice(from, from + maxRowLength), minRowLength);
    ends.push(from);
  }
  return ends.length === 0 ? known : [...known, ...ends];
}

function toRows({ turn, ends }: CutTurn, index: number): readonly CaptionRow[] {
  return [...ends, undefined].map((to, row) => ({
    key: `${turn.turn}:${row}`,
    index,
    from: ends[row - 1] ?? 0,
    to,
  }));
}

export function toRowParts(
  turn: CaptionedTurn,
  { from, to = turn.text.length }: Pick<CaptionRow, 'from' | 'to'>,
): CaptionParts {
  return sliceCaptionParts(toCaptionParts(turn), from, to);
}
