/** Letters that are each spoken for themselves and stand without spaces. */
const alone = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const token = new RegExp(`\\s*(?:[${alone}][^\\s${alone}\\p{L}\\p{N}]*|[^\\s${alone}]+)`, 'gu');
const standsAlone = new RegExp(`[${alone}]`, 'u');
const phraseEnd = /[.,;:!?…。，、；：！？]["'”’)]*$/u;

/** The words of a text, each with the space before it; a letter of Chinese or Japanese is a word. */
export function splitWords(text: string): readonly string[] {
  return text.match(token) ?? [];
}

/** How long a word takes to say, in letters of an alphabet; its beginning counts for one. */
export function speechWeight(word: string): number {
  return standsAlone.test(word) ? 4 : word.trim().length + 1;
}

/** A voice takes a breath after it. */
export function endsPhrase(word: string): boolean {
  return phraseEnd.test(word);
}

/** How wide a letter is, in letters of an alphabet. */
export function captionWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += standsAlone.test(letter) ? 2 : 1;
  return width;
}
