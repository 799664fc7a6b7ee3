/** About a minute of reading aloud; the rest can be read where it stands. */
const maxLength = 600;
const sentenceEnd = /[.!?。！？…]["'”’）)]*(?=\s|$|\P{ASCII})/gu;

/** An answer, or the first sentences of a long one. */
export function answerExcerpt(text: string): string {
  if (text.length <= maxLength) return text;
  const head = text.slice(0, maxLength);
  const ends = [...head.matchAll(sentenceEnd)].map(({ index, 0: mark }) => index + mark.length);
  return head.slice(0, ends.at(-1) ?? maxLength);
}
