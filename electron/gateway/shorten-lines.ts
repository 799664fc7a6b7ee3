const wanted = /\bat most (?<words>\d{1,4}) words\b|最多\s*(?<letters>\d{1,4})\s*个字/iu;

/**
 * Who asks for the lines of a list in so many words gets the first sentence of each, once, and rather the newest than the
 * oldest: by rule, because a demonstration understands nothing. Nothing for whoever asks for something else.
 */
export function shortenLines(text: string): string | undefined {
  const { words, letters } = wanted.exec(text)?.groups ?? {};
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  if ((words === undefined && letters === undefined) || lines.length === 0) return undefined;
  const lengthOf = (said: string): number =>
    words === undefined ? said.length : said.split(/\s+/u).length;
  let left = Number(words ?? letters);
  const sentences = [...new Set(lines.map(firstSentence))];
  const kept: string[] = [];
  for (const sentence of sentences.toReversed()) {
    left -= lengthOf(sentence);
    if (left < 0) break;
    kept.unshift(sentence);
  }
  return kept.join(words === undefined ? '' : ' ');
}

function firstSentence(line: string): string {
  const said = line.slice(2).trim();
  return /^.+?(?:[.!?](?=\s|$)|[。！？])/u.exec(said)?.[0] ?? said;
}
