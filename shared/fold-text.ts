/** Normalises text for search: ignores case, accents and full-width forms. */
export function foldText(text: string): string {
  const unmarked = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
  // A final sigma has a different lower-case letter.
  return unmarked.toLowerCase().replaceAll('ς', 'σ');
}

/** Splits a search query into normalised words. */
export function searchWords(query: string): readonly string[] {
  return foldText(query).split(/\s+/u).filter(Boolean);
}
