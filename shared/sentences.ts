/** Marks of both languages, and what closes after them. */
const mark = `[.!?。！？…]["'”’）)]*`;
const wholeSentence = new RegExp(`${mark}(?=\\s|$|\\P{ASCII})`, 'gu');
const sentenceWithSpace = new RegExp(`${mark}(?:\\s+|(?=\\P{ASCII}))`, 'gu');
const space = /\s+/gu;

/** Where the last whole sentence of a text ends; 0 where none does. */
export function endOfSentences(text: string): number {
  return endOfLast(wholeSentence, text);
}

/** Where a text that goes on is cut, not before `least`: after a sentence, else between words, else between letters. */
export function cutAfterSentence(text: string, least: number): number {
  for (const end of [endOfLast(sentenceWithSpace, text), endOfLast(space, text)])
    if (end >= least) return end;
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

function endOfLast(pattern: RegExp, text: string): number {
  let end = 0;
  for (const { index, 0: found } of text.matchAll(pattern)) end = index + found.length;
  return end;
}
