/** Sentence-ending punctuation in English and Chinese, with closing quotes and brackets. */
const sentenceEnd = `[.!?。！？…]["'”’）)]*`;
const wholeSentence = new RegExp(`${sentenceEnd}(?=\\s|$|\\P{ASCII})`, 'gu');
const sentenceWithSpace = new RegExp(`${sentenceEnd}(?:\\s+|(?=\\P{ASCII}))`, 'gu');
const space = /\s+/gu;

/** The index after the last complete sentence, or 0. */
export function endOfSentences(text: string): number {
  return endOfLast(wholeSentence, text);
}

/** The index to cut at: after the last sentence or else the last word that ends at `minLength` or later, or else at the end. */
export function cutAfterSentence(text: string, minLength: number): number {
  for (const end of [endOfLast(sentenceWithSpace, text), endOfLast(space, text)])
    if (end >= minLength) return end;
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

/** Joins two parts of a text. Chinese and Japanese have no spaces between phrases. */
export function joinPhrases(text: string, next: string): string {
  const needsSpace =
    text !== '' &&
    next !== '' &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。！？、；：]$/u.test(text);
  return needsSpace ? `${text} ${next}` : text + next;
}

function endOfLast(pattern: RegExp, text: string): number {
  let end = 0;
  for (const { index, 0: match } of text.matchAll(pattern)) end = index + match.length;
  return end;
}
