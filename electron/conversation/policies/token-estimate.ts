/** Ideographs, kana, hangul and what is printed among them: a token each, or less. */
const wide = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/u;
const narrowCharactersPerToken = 3;

/** About how many tokens a text takes, rather too many than too few. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const character of text) tokens += tokensOf(character);
  return Math.ceil(tokens);
}

/** The end of a text that fits, from the beginning of a word on. */
export function lastTextThatFits(text: string, maxTokens: number): string {
  const characters = Array.from(text);
  let tokens = 0;
  let from = characters.length;
  while (from > 0 && tokens + tokensOf(characters[from - 1] ?? '') <= maxTokens) {
    from -= 1;
    tokens += tokensOf(characters[from] ?? '');
  }
  const rest = characters.slice(from).join('');
  if (from === 0 || wide.test(characters[from] ?? '') || characters[from - 1] === ' ')
    return rest.trim();
  const space = rest.indexOf(' ');
  return space === -1 ? rest.trim() : rest.slice(space + 1).trim();
}

function tokensOf(character: string): number {
  return wide.test(character) ? 1 : 1 / narrowCharactersPerToken;
}
