const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Characters that take two columns: East Asian ones, and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const noWidth = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

/** Columns that a text takes on a screen. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfSegment(segment);
  return width;
}

/** As much of the end of a text as fits into so many columns. */
export function endThatFits(text: string, columns: number): string {
  let width = 0;
  let from = text.length;
  for (const { segment, index } of [...graphemes.segment(text)].toReversed()) {
    width += widthOfSegment(segment);
    if (width > columns) break;
    from = index;
  }
  return text.slice(from);
}

/** As much of the beginning of a text as fits into so many columns. */
export function beginningThatFits(text: string, columns: number): string {
  let width = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    width += widthOfSegment(segment);
    if (width > columns) return text.slice(0, index);
  }
  return text;
}

/** What looks like one character may be many: a family of four is eleven. */
export const maxGraphemeLength = 16;

/** A text in lines that fit, broken where a word ends, or inside of one that is too long by itself. */
export function linesThatFit(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (let rest = text; ;) {
    // Looking at all that follows for each line would take for ever with a book.
    const near = rest.slice(0, columns * maxGraphemeLength);
    const fits = beginningThatFits(near, columns);
    if (fits === rest || fits === '') return [...lines, rest];
    const end = rest.startsWith(' ', fits.length) ? fits.length : breakIn(fits, near);
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
}

/** The last place in a beginning where the whole may be broken. */
function breakIn(beginning: string, whole: string): number {
  let last = 0;
  let before = '';
  for (const { segment, index } of graphemes.segment(whole)) {
    // Between words, and before and after each character of a script that has no gaps.
    const breaks = before === ' ' || wide.test(segment) || wide.test(before);
    if (breaks && index > 0 && !noLineBegins.test(segment)) last = index;
    if (index >= beginning.length) break;
    before = segment;
  }
  return last === 0 ? beginning.length : last;
}

/** What closes something stays with it. */
const noLineBegins = /^[\s,.;:!?…、。，．；：！？）」』】》”’]/u;

function widthOfSegment(segment: string): number {
  if (noWidth.test(segment)) return 0;
  return wide.test(segment) ? 2 : 1;
}

/** What stands between two words: Chinese and Japanese have nothing there. */
export function wordGapBetween(before: string, after: string): string {
  if (before === '' || after === '') return '';
  return wide.test(before.at(-1) ?? '') || wide.test(after.at(0) ?? '') ? '' : ' ';
}
