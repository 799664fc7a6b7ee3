/**
 * Where an answer that stopped in the middle is gone on with. A limit cuts within words, and no model
 * goes on with half of one: the last word is left to be said again.
 */
export function answerBase(text: string): string {
  const word = /(?<=\s)[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}]+$/u;
  const base = text.replace(word, '');
  return base.trim() === '' ? text : base;
}

/** What stands before the rest, with the space between them that models leave out at the beginning of an answer. */
export function headBefore(base: string, rest: string): string {
  if (/^\s/u.test(rest)) return base.replace(/[^\S\n]+$/u, '');
  const joins = /[.,;:!?…)\]"”’*`]$/u.test(base) && /^[\p{L}\p{N}]/u.test(rest);
  const spaced = !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(rest);
  return joins && spaced ? `${base} ` : base;
}
