/** Sentence-ending punctuation in English and Chinese, with closing quotes and brackets. */
const sentenceEnd = `[.!?。！？…]["'”’）)]*`;
const wholeSentence = new RegExp(`${sentenceEnd}(?=\\s|$|\\P{ASCII})`, 'gu');
const sentenceWithSpace = new RegExp(`${sentenceEnd}(?:\\s+|(?=\\P{ASCII}))`, 'gu');
const space = /\s+/gu;

/** Index after the last complete sentence, or 0. */
export function endOfSentences(text: string): number {
  return endOfLast(wholeSentence, text);
}

/** Where to cut, at least at `minLength`: after a sentence, else a word, else a character. */
export function cutAfterSentence(text: string, minLength: number): number {
  for (const end of [endOfLast(sentenceWithSpace, text), endOfLast(space, text)])
    if (end >= minLength) return end;
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

/** Joins two parts of a text. Chinese and Japanese have no spaces between phrases. */
export function joinPhrases(text: string, more: string): string {
  const spaced =
    text !== '' &&
    more !== '' &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。！？、；：]$/u.test(text);
  return spaced ? `${text} ${more}` : text + more;
}

function endOfLast(pattern: RegExp, text: string): number {
  let end = 0;
  for (const { index, 0: found } of text.matchAll(pattern)) end = index + found.length;
  return end;
}
