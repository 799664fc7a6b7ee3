import { cutAfterSentence } from '../../shared/sentences.ts';

/** A part of a text that can be read for itself. */
export interface MarkdownPiece {
  /** Where it begins in the whole. */
  readonly at: number;
  readonly text: string;
  readonly kind: 'code' | 'other';
}

/** What is known of the piece that is open, before the next line of it. */
interface OpenPiece {
  readonly start: number;
  readonly lines: number;
  readonly isList: boolean;
  readonly number: number | undefined;
  readonly afterEmpty: boolean;
  /** The fence of a block of code. */
  readonly fence: string | undefined;
}

interface LineRange {
  readonly at: number;
  readonly end: number;
  /** As much of it as tells what it is: none is looked at as a whole. */
  readonly text: string;
}

const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
/** Markdown knows three; of a return at the end of all nobody can say whether its other half is to come. */
const lineEnd = /\n|\r(?=[^\n])/g;
const nothingYet: Omit<OpenPiece, 'start'> = {
  lines: 0,
  isList: false,
  number: undefined,
  afterEmpty: true,
  fence: undefined,
};

/**
 * Cuts a text where nothing reaches across: at empty lines, but not within a list or what is indented, and around
 * blocks of code; what is very long is cut where it shows least. Of a text that grows only what is new is looked at,
 * and the pieces before its last are the very same.
 */
export class PieceSplitter {
  #text = '';
  #at = 0;
  #open: OpenPiece = { start: 0, ...nothingYet };
  #closed: readonly MarkdownPiece[] = [];
  #isWhole = true;

  /** Whether the last call has come to the end of its text. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Looks at no more than so many lines that are new; what comes after them is for the next call. */
  split(text: string, mostLines = Number.POSITIVE_INFINITY): readonly MarkdownPiece[] {
    if (!text.startsWith(this.#text)) {
      this.#at = 0;
      this.#open = { start: 0, ...nothingYet };
      this.#closed = [];
    }
    this.#text = text;
    const closed: MarkdownPiece[] = [];
    for (let lines = 0; ; lines += 1) {
      this.#isWhole = lines < mostLines;
      if (!this.#isWhole) break;
      const line = lineAt(text, this.#at, this.#open.fence !== undefined);
      if (line === undefined) break;
      this.#open = afterLine(text, this.#open, line, closed);
      this.#at = line.end;
    }
    if (closed.length > 0) this.#closed = [...this.#closed, ...closed];
    if (!this.#isWhole) return this.#closed;
    const last: MarkdownPiece[] = [];
    let open = this.#open;
    // A line that has no end yet may become another one.
    if (this.#at < text.length)
      open = afterLine(text, open, range(text, this.#at, text.length), last);
    close(text, open, text.length, last);
    return [...this.#closed, ...last];
  }
}

/** The next line that nothing can be added to; of a very long one a part, but not within code. */
function lineAt(text: string, at: number, isCode: boolean): LineRange | undefined {
  lineEnd.lastIndex = at;
  const newline = lineEnd.exec(text)?.index;
  const cut = isCode ? undefined : endOfLongLine(text, at, newline);
  const end = cut ?? (newline === undefined ? undefined : newline + 1);
  return end === undefined ? undefined : range(text, at, end);
}

function range(text: string, at: number, end: number): LineRange {
  return { at, end, text: text.slice(at, Math.min(end, at + 400)).replace(/\r?\n$|\r$/, '') };
}

/** The open piece with one line more; those that it ends are added to the closed ones. */
function afterLine(
  text: string,
  open: OpenPiece,
  { at, end, text: line }: LineRange,
  closed: MarkdownPiece[],
): OpenPiece {
  const longer = { ...open, lines: open.lines + 1 };
  if (open.fence !== undefined) {
    if (!isClosingFence(line, open.fence)) return longer;
    close(text, open, end, closed);
    return { start: end, ...nothingYet };
  }
  const isLong = endsLongPiece({ ...open, letters: at - open.start }, line);
  if (line.trim() === '') {
    if (!isLong) return { ...longer, afterEmpty: true };
    close(text, open, at, closed);
    return { ...open, start: at, lines: 1, afterEmpty: true };
  }
  const marker = fence.exec(line)?.[1];
  const item = listItem.exec(line);
  // A fence within a list belongs to the list, and the list's reader finds it.
  const opens = marker !== undefined && !(open.isList && line.startsWith(' '));
  const begins = open.afterEmpty && !/^\s/.test(line) && !(open.isList && item !== null);
  if (!opens && !begins && !isLong)
    return { ...longer, afterEmpty: false, number: numberOf(item) ?? open.number };
  close(text, open, at, closed);
  return {
    start: at,
    lines: 1,
    isList: item !== null || (open.isList && !opens && !begins),
    number: numberOf(item),
    afterEmpty: false,
    fence: opens ? marker : undefined,
  };
}

function numberOf(item: RegExpExecArray | null): number | undefined {
  return item?.[1] === undefined ? undefined : Number(item[1]);
}

function close(text: string, open: OpenPiece, end: number, closed: MarkdownPiece[]): void {
  const piece = text.slice(open.start, end);
  const kind = open.fence === undefined ? 'other' : 'code';
  if (piece.trim() !== '') closed.push({ at: open.start, text: piece, kind });
}

export function isClosingFence(line: string, open: string): boolean {
  const trimmed = line.trim();
  const only = trimmed === (open[0] ?? '').repeat(trimmed.length);
  return only && trimmed.length >= open.length && /^ {0,3}\S/.test(line);
}

/** As much as is read without being felt, many times a second while it is being written. */
const soft = { lines: 60, letters: 2000 };
/** Beyond it a piece ends wherever it stands: no list and no table of a model has it. */
const hard = { lines: 150, letters: 6000 };
/** No paragraph is longer; where one seems to be, it goes on as the next. */
const maxLineLetters = 4000;

const listItem = /^(?:[-*+]|(\d{1,9})[.)])(?:\s|$)/;

/** What a piece has come to before a line. */
export interface PieceSize {
  readonly lines: number;
  readonly letters: number;
  readonly isList: boolean;
  /** Of its last item, where items are numbered. */
  readonly number: number | undefined;
}

/**
 * Whether a piece that has grown long ends before this line: a list before one of its items, so that nothing but
 * the space between them shows it, and other text between lines; a table and what is indented stay whole for longer.
 */
function endsLongPiece({ lines, letters, isList, number }: PieceSize, line: string): boolean {
  if (lines >= hard.lines || letters >= hard.letters) return true;
  if ((lines < soft.lines && letters < soft.letters) || /^\s/.test(line)) return false;
  if (!isList) return !line.includes('|');
  const item = listItem.exec(line);
  // What begins again with its number would be counted anew.
  return item !== null && (item[1] === undefined) === (number === undefined)
    ? number === undefined || Number(item[1]) === number + 1
    : false;
}

/** Where a line that has no end in sight is cut: after a sentence, else between words; nowhere where it is short. */
function endOfLongLine(text: string, at: number, newline = text.length): number | undefined {
  if (newline - at <= maxLineLetters) return undefined;
  const line = text.slice(at, at + maxLineLetters);
  return at + cutAfterSentence(line, maxLineLetters / 2 + 1);
}
