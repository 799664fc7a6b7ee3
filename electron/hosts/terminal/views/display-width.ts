const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Characters that are two columns wide: East Asian ones and emoji. */
const wideCharacter =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const zeroWidth = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfSegment(segment);
  return width;
}

/** The longest end of a text that fits into the columns. */
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

/** The longest beginning of a text that fits into the columns. */
export function beginningThatFits(text: string, columns: number): string {
  let width = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    width += widthOfSegment(segment);
    if (width > columns) return text.slice(0, index);
  }
  return text;
}

/** The most UTF-16 units that a grapheme is expected to have: a family emoji of four has eleven. */
export const maxGraphemeLength = 16;

/** Wraps a text at word ends, or within a word that is too long. */
export function linesThatFit(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (let rest = text; ;) {
    // Bounded, because scanning all of the text for each line would be quadratic.
    const scanned = rest.slice(0, columns * maxGraphemeLength);
    const line = beginningThatFits(scanned, columns);
    if (line === rest || line === '') return [...lines, rest];
    const end = rest.startsWith(' ', line.length) ? line.length : findBreak(line, scanned);
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
}

/** The last position in the line where it may break. `scanned` begins with the line. */
function findBreak(line: string, scanned: string): number {
  let last = 0;
  let before = '';
  for (const { segment, index } of graphemes.segment(scanned)) {
    // Lines break between words, and before and after each wide character.
    const canBreak = before === ' ' || wideCharacter.test(segment) || wideCharacter.test(before);
    if (canBreak && index > 0 && !closingPunctuation.test(segment)) last = index;
    if (index >= line.length) break;
    before = segment;
  }
  return last === 0 ? line.length : last;
}

/** Closing punctuation must not begin a line. */
const closingPunctuation = /^[\s,.;:!?…、。，．；：！？）」』】》”’]/u;

function widthOfSegment(segment: string): number {
  if (zeroWidth.test(segment)) return 0;
  return wideCharacter.test(segment) ? 2 : 1;
}

/** The gap between two words. Chinese and Japanese have none. */
export function wordGapBetween(before: string, after: string): string {
  if (before === '' || after === '') return '';
  return wideCharacter.test(before.at(-1) ?? '') || wideCharacter.test(after.at(0) ?? '')
    ? ''
    : ' ';
}
