import type { MarkdownInline } from './nodes.ts';

const strong = /\*\*(?=[^\s*])([^*\n]{1,400}?)(?<=[^\s*])\*\*/gu;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Markdown's rules for stars need spaces around words, and Chinese has none: `**好。**然后` is
 * left as it stands. Models write it all the time, and mean strong.
 */
export function findStrong(text: string, at: number): readonly MarkdownInline[] {
  const inlines: MarkdownInline[] = [];
  let from = 0;
  const add = (until: number): void => {
    if (until > from) inlines.push({ type: 'text', text: text.slice(from, until), at: at + from });
  };
  if (text.includes('**') && eastAsian.test(text)) {
    for (const match of text.matchAll(strong)) {
      const [whole, inside = ''] = match;
      add(match.index);
      const inner: MarkdownInline = { type: 'text', text: inside, at: at + match.index + 2 };
      inlines.push({ type: 'strong', children: [inner] });
      from = match.index + whole.length;
    }
  }
  add(text.length);
  return inlines;
}
