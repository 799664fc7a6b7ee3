import { cutAfterSentence } from '../../../shared/sentences.ts';
import type { CaptionedTurn } from '../../../shared/talk/caption-patch.ts';
import { type CaptionParts, captionPartsOf, captionPartsWithin } from './caption-text.tsx';

/** A minute of speech. A paragraph is laid out as a whole whenever a word of it changes, however long it is. */
const maxRowLetters = 1000;
/** Not cut before this: the row would look like a thought of its own. */
const minRowLetters = 600;

/** A turn, or of a very long one a part, as it stands in the list. */
export interface CaptionRow {
  readonly key: string;
  /** The turn's place among all. */
  readonly index: number;
  readonly from: number;
  /** Nothing where it is the turn's last row and grows with it. */
  readonly to: number | undefined;
}

interface CutTurn {
  readonly turn: CaptionedTurn;
  readonly ends: readonly number[];
}

/** The rows of turns that change and grow: the same list as long as no row comes or goes. */
export class CaptionRows {
  #turns: readonly CaptionedTurn[] = [];
  #cut: readonly CutTurn[] = [];
  #rows: readonly CaptionRow[] = [];

  readonly of = (turns: readonly CaptionedTurn[]): readonly CaptionRow[] => {
    if (turns === this.#turns) return this.#rows;
    const known = this.#cut;
    const shift = known.findIndex(({ turn }) => turn.turn === turns[0]?.turn);
    const cut = turns.map((turn, index) =>
      cutTurn(turn, shift < 0 ? undefined : known[index + shift]),
    );
    const same =
      shift === 0 &&
      cut.length === known.length &&
      cut.every(
        ({ turn, ends }, index) =>
          turn.turn === known[index]?.turn.turn && ends === known[index].ends,
      );
    this.#turns = turns;
    this.#cut = cut;
    if (!same) this.#rows = cut.flatMap(rowsOf);
    return this.#rows;
  };
}

const none: readonly number[] = [];

function cutTurn(turn: CaptionedTurn, known: CutTurn | undefined): CutTurn {
  if (known?.turn === turn) return known;
  if (turn.text.length <= maxRowLetters) return { turn, ends: none };
  const before = known?.turn;
  const grown = before?.turn === turn.turn && turn.text.startsWith(before.text);
  const ends = grown ? known?.ends : undefined;
  return { turn, ends: rowEnds(turn.text, ends ?? none) };
}

/** Where rows end, all but the last: what comes later changes none of it. */
function rowEnds(text: string, known: readonly number[]): readonly number[] {
  const ends: number[] = [];
  for (let from = known.at(-1) ?? 0; text.length - from > maxRowLetters;) {
    from += cutAfterSentence(text.slice(from, from + maxRowLetters), minRowLetters);
    ends.push(from);
  }
  return ends.length === 0 ? known : [...known, ...ends];
}

function rowsOf({ turn, ends }: CutTurn, index: number): readonly CaptionRow[] {
  return [...ends, undefined].map((to, row) => ({
    key: `${turn.turn}:${row}`,
    index,
    from: ends[row - 1] ?? 0,
    to,
  }));
}

/** The three ranges of a row's part of a turn. */
export function rowPartsOf(
  turn: CaptionedTurn,
  { from, to = turn.text.length }: Pick<CaptionRow, 'from' | 'to'>,
): CaptionParts {
  return captionPartsWithin(captionPartsOf(turn), from, to);
}
