const letter = /\p{L}|\p{N}|[\ud800-\udfff]/u;

/**
 * The text with every letter and digit made one like all others of its script: as long in every way in which captions and
 * models count, and with the marks between its words.
 */
export function maskedText(text: string): string {
  let masked = '';
  for (const character of text)
    masked += letter.test(character) ? maskedLetter(character) : character;
  return masked;
}

/** What decides in an error's words what becomes of a session, beside the words that a server has for its troubles. */
const telling = /queue|connect|busy|worker|\b403\b/giu;

/** An error's own words: those few that Parley reads in it stay. */
export function maskedRemark(text: string): string {
  let masked = '';
  let from = 0;
  for (const { index, 0: found } of text.matchAll(telling)) {
    masked += maskedText(text.slice(from, index)) + found;
    from = index + found.length;
  }
  return masked + maskedText(text.slice(from));
}

function maskedLetter(character: string): string {
  const wide = character.length === 2;
  if (/\p{Script=Han}/u.test(character)) return wide ? '𠮷' : '字';
  if (/\p{Script=Hiragana}/u.test(character)) return 'あ';
  if (/\p{Script=Katakana}/u.test(character)) return 'ア';
  // One half of a letter, whose other half came with another delta.
  if (/[\ud840-\udbff]/.test(character) && !wide) return '\ud842';
  if (/[\udc00-\udfff]/.test(character) && !wide) return '\udfb7';
  if (/[\ud800-\udfff]/.test(character) && !wide) return '\ud835';
  if (/\p{N}/u.test(character)) return wide ? '𝟎' : '0';
  if (wide) return '𝐱';
  return /\p{Lu}/u.test(character) ? 'X' : 'x';
}
