const maxLetters = 80;

/** How something begins, in one line. */
export function firstWordsOf(texts: Iterable<string>): string {
  for (const text of texts) {
    const line = text
      .slice(0, 4 * maxLetters)
      .replaceAll(/\s+/gu, ' ')
      .trim();
    if (line === '') continue;
    if (line.length <= maxLetters) return line;
    // Half a letter of two units would be no letter.
    return `${line.slice(0, maxLetters).replace(/\p{Surrogate}$/u, '')}…`;
  }
  return '';
}
