/** A part of a text that can be read for itself. */
export interface MarkdownPiece {
  /** Where it begins in the whole. */
  readonly at: number;
  readonly text: string;
  readonly kind: 'code' | 'other';
}

const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const listItem = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/**
 * Cuts a text where nothing reaches across: at empty lines, but not within a list or what is indented,
 * and around blocks of code. While a text is being streamed only its last piece changes.
 */
export function splitPieces(text: string): readonly MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  let start = 0;
  let isList = false;
  let afterEmpty = true;
  let open: string | undefined;

  const cut = (end: number, kind: MarkdownPiece['kind']): void => {
    const piece = text.slice(start, end);
    if (piece.trim() !== '') pieces.push({ at: start, text: piece, kind });
    start = end;
  };

  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline + 1;
    // No line is looked at as a whole: one may be as long as everything.
    const line = text.slice(at, Math.min(end, at + 400)).replace(/\r?\n$/, '');
    if (open !== undefined) {
      if (isClosingFence(line, open)) {
        open = undefined;
        cut(end, 'code');
        afterEmpty = true;
        isList = false;
      }
    } else if (line.trim() === '') afterEmpty = true;
    else {
      const marker = fence.exec(line)?.[1];
      // A fence within a list belongs to the list, and the list's reader finds it.
      const opens = marker !== undefined && !(isList && line.startsWith(' '));
      const begins = afterEmpty && !/^\s/.test(line) && !(isList && listItem.test(line));
      if (opens || begins) {
        cut(at, 'other');
        isList = listItem.test(line);
      }
      if (opens) open = marker;
      afterEmpty = false;
    }
    at = end;
  }
  cut(text.length, open === undefined ? 'other' : 'code');
  return pieces;
}

export function isClosingFence(line: string, open: string): boolean {
  const trimmed = line.trim();
  const only = trimmed === (open[0] ?? '').repeat(trimmed.length);
  return only && trimmed.length >= open.length && /^ {0,3}\S/.test(line);
}
