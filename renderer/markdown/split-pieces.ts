import { cutAfterSentence } from '../../shared/text.ts';

/** In characters: twice a model's whole context. The rest is shown as source text. */
export const maxParsedLength = 64_000;

/** A part of a text that can be parsed on its own. */
export interface MarkdownPiece {
  /** The offset of the piece in the whole text. */
  readonly offset: number;
  readonly text: string;
  readonly kind: 'code' | 'other';
}

interface OpenPiece {
  readonly start: number;
  readonly lines: number;
  readonly isList: boolean;
  readonly number: number | undefined;
  readonly afterEmpty: boolean;
  readonly fence: string | undefined;
}

interface LineRange {
  readonly at: number;
  readonly end: number;
  /** The first 400 characters, enough to classify the line. */
  readonly text: string;
}

const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
/** A carriage return at the end may be half of a CRLF, so it does not count yet. */
const lineEnd = /\n|\r(?=[^\n])/g;
const emptyPiece: Omit<OpenPiece, 'start'> = {
  lines: 0,
  isList: false,
  number: undefined,
  afterEmpty: true,
  fence: undefined,
};

/**
 * Splits a text at empty lines outside lists, and before and after code blocks. All pieces but the last keep their
 * identity as the text grows.
 */
export class PieceSplitter {
  #text = '';
  #at = 0;
  #open: OpenPiece = { start: 0, ...emptyPiece };
  #closed: readonly MarkdownPiece[] = [];
  #whole: readonly MarkdownPiece[] = [];
  #isWhole = true;

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Scans at most `maxLines` new lines; the next call continues. */
  split(text: string, maxLines = Number.POSITIVE_INFINITY): readonly MarkdownPiece[] {
    if (this.#isWhole && text === this.#text) return this.#whole;
    if (!text.startsWith(this.#text)) {
      this.#at = 0;
      this.#open = { start: 0, ...emptyPiece };
      this.#closed = [];
    }
    this.#text = text;
    const closed: MarkdownPiece[] = [];
    for (let lines = 0; ; lines += 1) {
      this.#isWhole = lines < maxLines;
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
    // The last line is unfinished and may still change, so its result is not stored.
    if (this.#at < text.length)
      open = afterLine(text, open, range(text, this.#at, text.length), last);
    close(text, open, text.length, last);
    this.#whole = [...this.#closed, ...last];
    return this.#whole;
  }
}

/** The next complete line. A very long line outside code is returned in parts. */
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

/** Adds a line to the open piece; pieces that it completes go to `closed`. */
function afterLine(
  text: string,
  open: OpenPiece,
  { at, end, text: line }: LineRange,
  closed: MarkdownPiece[],
): OpenPiece {
  const longer = { ...open, lines: open.lines + 1 };
  // Text past the limit is not parsed. It is cut only at the hard limit, so that a flood of lines makes few pieces.
  if (open.start > maxParsedLength) {
    if (!reachesHardLimit({ ...open, length: at - open.start })) return longer;
    close(text, open, at, closed);
    return { start: at, ...emptyPiece, lines: 1 };
  }
  if (open.fence !== undefined) {
    if (!isClosingFence(line, open.fence)) return longer;
    close(text, open, end, closed);
    return { start: end, ...emptyPiece };
  }
  const isLong = endsLongPiece({ ...open, length: at - open.start }, line);
  if (line.trim() === '') {
    if (!isLong) return { ...longer, afterEmpty: true };
    close(text, open, at, closed);
    return { ...open, start: at, lines: 1, afterEmpty: true };
  }
  const marker = fence.exec(line)?.[1];
  const item = listItem.exec(line);
  // A fence inside a list belongs to the list.
  const opensFence = marker !== undefined && !(open.isList && line.startsWith(' '));
  const beginsPiece = open.afterEmpty && !/^\s/.test(line) && !(open.isList && item !== null);
  if (!opensFence && !beginsPiece && !isLong)
    return { ...longer, afterEmpty: false, number: itemNumber(item) ?? open.number };
  close(text, open, at, closed);
  return {
    start: at,
    lines: 1,
    isList: item !== null || (open.isList && !opensFence && !beginsPiece),
    number: itemNumber(item),
    afterEmpty: false,
    fence: opensFence ? marker : undefined,
  };
}

function itemNumber(item: RegExpExecArray | null): number | undefined {
  return item?.[1] === undefined ? undefined : Number(item[1]);
}

function close(text: string, open: OpenPiece, end: number, closed: MarkdownPiece[]): void {
  const piece = text.slice(open.start, end);
  const kind = open.fence === undefined ? 'other' : 'code';
  if (piece.trim() !== '') closed.push({ offset: open.start, text: piece, kind });
}

export function isClosingFence(line: string, open: string): boolean {
  const trimmed = line.trim();
  const only = trimmed === (open[0] ?? '').repeat(trimmed.length);
  return only && trimmed.length >= open.length && /^ {0,3}\S/.test(line);
}

/** A piece of this size is parsed many times a second without a noticeable delay. */
const softLimit = { lines: 60, length: 2000 };
/** A piece ends here in any case; no real list or table is this long. */
const hardLimit = { lines: 150, length: 6000 };
/** A longer paragraph continues as a new one. */
const maxLineLength = 4000;

const listItem = /^(?:[-*+]|(\d{1,9})[.)])(?:\s|$)/;

export interface PieceSize {
  readonly lines: number;
  readonly length: number;
  readonly isList: boolean;
  /** The number of the last item in a numbered list; undefined otherwise. */
  readonly number: number | undefined;
}

/**
 * Whether the line begins a new piece because the open one is long. A list is split before an item. Tables and indented
 * lines are split only at the hard limit.
 */
function endsLongPiece(size: PieceSize, line: string): boolean {
  const { lines, length, isList, number } = size;
  if (reachesHardLimit(size)) return true;
  if ((lines < softLimit.lines && length < softLimit.length) || /^\s/.test(line)) return false;
  if (!isList) return !line.includes('|');
  const item = listItem.exec(line);
  // An item that does not continue the numbering would be renumbered, so it does not start a piece.
  return item !== null && (item[1] === undefined) === (number === undefined)
    ? number === undefined || Number(item[1]) === number + 1
    : false;
}

function reachesHardLimit({ lines, length }: Pick<PieceSize, 'lines' | 'length'>): boolean {
  return lines >= hardLimit.lines || length >= hardLimit.length;
}

/** Where a line that is too long is cut: after a sentence, or else between words. Undefined if it is short. */
function endOfLongLine(text: string, at: number, newline = text.length): number | undefined {
  if (newline - at <= maxLineLength) return undefined;
  const line = text.slice(at, at + maxLineLength);
  return at + cutAfterSentence(line, maxLineLength / 2 + 1);
}
