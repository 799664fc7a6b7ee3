import { foldText } from '../../shared/chat/fold-text.ts';

/** Scripts that write no blanks between words: each two letters that follow each other are one word of the index. */
const run =
  /(?<close>[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]+)|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{N}])+/gu;

/** A text as the index takes it: its words folded, blanks between. */
export function indexWordsOf(text: string): string {
  const words: string[] = [];
  for (const { close, word } of runsIn(text)) words.push(...(close ? pairsIn(word, true) : [word]));
  return words.join(' ');
}

/** What is looked for, in the language of the index; nothing where the query has no letter and no digit. */
export function indexMatchOf(query: string): string | undefined {
  const terms = runsIn(query).map(({ close, word }) => {
    const pairs = close ? pairsIn(word, false) : [word];
    const isWhole = close && pairs.join('') !== word;
    return `"${pairs.join(' ')}"${isWhole ? '' : '*'}`;
  });
  return terms.length === 0 ? undefined : terms.join(' AND ');
}

/** The words of a query, folded, to be found in a text. */
export function queryWordsOf(query: string): readonly string[] {
  return runsIn(query).map(({ word }) => word);
}

interface Run {
  readonly word: string;
  /** Of a script without blanks. */
  readonly close: boolean;
}

function runsIn(text: string): readonly Run[] {
  return [...foldText(text).matchAll(run)].map(([word, close]) => ({
    word,
    close: close !== undefined,
  }));
}

/** The last letter begins no pair; on its own it can be found all the same. */
function pairsIn(word: string, withLast: boolean): readonly string[] {
  const letters = Array.from(word);
  if (letters.length === 1) return letters;
  const pairs = letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`);
  return withLast ? [...pairs, letters.at(-1) ?? ''] : pairs;
}
