/** As much as is read without being felt, many times a second while it is being written. */
const soft = { lines: 60, letters: 2000 };
/** Beyond it a piece ends wherever it stands: no list and no table of a model has it. */
const hard = { lines: 150, letters: 6000 };
/** No paragraph is longer; where one seems to be, it goes on as the next. */
const maxLineLetters = 4000;

const sentenceEnd = /[.!?。！？…]["'”’）)]*(?:\s+|(?=\P{ASCII}))/gu;
const space = /\s+/gu;

export const listItem = /^(?:[-*+]|(\d{1,9})[.)])(?:\s|$)/;

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
export function endsLongPiece(
  { lines, letters, isList, number }: PieceSize,
  line: string,
): boolean {
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
export function endOfLongLine(text: string, at: number, newline = text.length): number | undefined {
  if (newline - at <= maxLineLetters) return undefined;
  const line = text.slice(at, at + maxLineLetters);
  for (const mark of [sentenceEnd, space]) {
    let end = 0;
    for (const { index, 0: found } of line.matchAll(mark)) end = index + found.length;
    if (end > maxLineLetters / 2) return at + end;
  }
  const last = line.charCodeAt(line.length - 1);
  return at + line.length - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
}
