/** Ideographs, kana, hangul and their punctuation: at most one token each. */
const wideCharacter =
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/u;
const narrowCharactersPerToken = 3;

/** Estimates tokens. The result is more often too high than too low, so that texts fit. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const character of text) tokens += characterTokens(character);
  return Math.ceil(tokens);
}

/** The end of a text that fits, starting at a word. */
export function lastTextThatFits(text: string, maxTokens: number): string {
  const characters = Array.from(text);
  let tokens = 0;
  let from = characters.length;
  while (from > 0 && tokens + characterTokens(characters[from - 1] ?? '') <= maxTokens) {
    from -= 1;
    tokens += characterTokens(characters[from] ?? '');
  }
  const tail = characters.slice(from).join('');
  if (from === 0 || wideCharacter.test(characters[from] ?? '') || characters[from - 1] === ' ')
    return tail.trim();
  const space = tail.indexOf(' ');
  return space === -1 ? tail.trim() : tail.slice(space + 1).trim();
}

function characterTokens(character: string): number {
  return wideCharacter.test(character) ? 1 : 1 / narrowCharactersPerToken;
}
