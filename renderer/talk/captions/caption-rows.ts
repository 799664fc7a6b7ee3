import { cutAfterSentence } from '../../../shared/text.ts';
import type {
  CaptionedTurn,
  SpokenTurn,
  UserPhrase,
  UserTranscript,
  ToolTask,
} from '../../../shared/talk/talk-view.ts';
import { useUiState } from '../../app/app-context.ts';
import { type CaptionParts, sliceCaptionParts, toCaptionParts } from './caption-text.tsx';

/**
 * In characters: about a minute of speech. Longer turns are split, because each new word lays out its whole paragraph
 * again.
 */
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

type UserRow =
  | { readonly key: string; readonly task: string }
  | { readonly key: string; readonly phrase: number }
  | { readonly key: string; readonly seconds: number };

/** A row of an answer, a transcribed phrase of the user, the task of a tool, or a mark of how long the user spoke. */
type TranscriptRow = CaptionRow | UserRow;

interface OrderedUserRow {
  readonly after: number | undefined;
  readonly row: UserRow;
}

/** Puts each row of the user after the turn that it followed. Rows of `spoken` are used only if there are no phrases. */
export function mergeTranscriptRows(
  rows: readonly CaptionRow[],
  turns: readonly Pick<CaptionedTurn, 'turn'>[],
  phrases: readonly UserPhrase[],
  spoken: readonly SpokenTurn[] = [],
  tasks: readonly ToolTask[] = [],
): readonly TranscriptRow[] {
  const speechRows = phrases.length > 0 ? phrases.map(phraseRow) : spoken.map(spokenRow);
  const userRows =
    tasks.length === 0
      ? speechRows
      : [...speechRows, ...tasks.map(taskRow)].toSorted(
          (one, other) => orderOf(one) - orderOf(other),
        );
  if (userRows.length === 0) return rows;
  const merged: TranscriptRow[] = [];
  let next = 0;
  for (const row of rows) {
    const turn = turns[row.index]?.turn ?? 0;
    // A long turn has several rows, and no row of the user goes between them.
    for (
      let candidate = userRows[next];
      row.from === 0 && isBefore(candidate, turn);
      candidate = userRows[next]
    ) {
      if (candidate !== undefined) merged.push(candidate.row);
      next += 1;
    }
    merged.push(row);
  }
  return [...merged, ...userRows.slice(next).map(({ row }) => row)];
}

function isBefore(row: OrderedUserRow | undefined, turn: number): boolean {
  return row !== undefined && orderOf(row) < turn;
}

/** Turns restored from an earlier run of Parley have negative numbers; a row that no turn precedes goes before even those. */
const orderOf = ({ after }: OrderedUserRow): number => after ?? -Number.MAX_VALUE;

function taskRow({ id, after }: ToolTask): OrderedUserRow {
  return { after, row: { key: `task:${id}`, task: id } };
}

function phraseRow({ at, after }: UserPhrase): OrderedUserRow {
  return { after, row: { key: `own:${at}`, phrase: at } };
}

function spokenRow({ at, after, seconds }: SpokenTurn): OrderedUserRow {
  return { after, row: { key: `spoken:${at}`, seconds } };
}

/** While transcription is deferred to the end of the talk, phrases that still wait for it are hidden. */
export function visiblePhrases({ status, phrases }: UserTranscript): readonly UserPhrase[] {
  return status.kind === 'afterTalk' ? phrases.filter(({ state }) => state !== 'waiting') : phrases;
}

export function useHasTranscript(): boolean {
  return useUiState(
    ({ captions, userTranscript, toolTasks }) =>
      captions.length > 0 ||
      visiblePhrases(userTranscript).length > 0 ||
      toolTasks.some(isFinished),
  );
}

/** Whether the list shows the task. A running one is shown above the controls instead. */
export const isFinished = ({ state }: ToolTask): boolean =>
  state !== 'writing' && state !== 'answering';
