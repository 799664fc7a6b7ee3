/** Text as it is searched: without case, accents and the width of letters. */
export function foldText(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
  // In lower case a sigma at a word's end looks different from one within.
  return bare.toLowerCase().replaceAll('ς', 'σ');
}

/** The words of what is typed into a search. */
export function searchWords(typed: string): readonly string[] {
  return foldText(typed).split(/\s+/u).filter(Boolean);
}
