import type { fromMarkdown } from 'mdast-util-from-markdown';

/** Any part of the reader's tree. */
export type MdastNode = ReturnType<typeof fromMarkdown>['children'][number];
export type MdastNodeOf<Type extends MdastNode['type']> = Extract<MdastNode, { type: Type }>;

/** What a part of the tree was read from. */
export interface MarkdownSource {
  readonly source: string;
  /** Where it begins in the whole text. */
  readonly at: number;
}

/** Words and their place in the whole text, so that what has been heard can be marked. */
export interface TextSpan {
  readonly text: string;
  readonly at: number;
}

/** A part as it stands in the source. */
export function sourceText(node: MdastNode, { source, at }: MarkdownSource): TextSpan {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? source.length;
  return { text: source.slice(start, end), at: at + start };
}

const strong = /\*\*(?=[^\s*])([^*\n]{1,400}?)(?<=[^\s*])\*\*/gu;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Markdown's rules for stars need spaces around words, and Chinese has none: `**好。**然后` is
 * left as it stands. Models write it all the time, and mean strong.
 */
export function strongParts({ text, at }: TextSpan): readonly (TextSpan & { strong: boolean })[] {
  const parts: (TextSpan & { strong: boolean })[] = [];
  let from = 0;
  const add = (until: number): void => {
    if (until > from) parts.push({ text: text.slice(from, until), at: at + from, strong: false });
  };
  if (text.includes('**') && eastAsian.test(text)) {
    for (const { 0: whole, 1: inside = '', index } of text.matchAll(strong)) {
      add(index);
      parts.push({ text: inside, at: at + index + 2, strong: true });
      from = index + whole.length;
    }
  }
  add(text.length);
  return parts;
}

interface SafeAddress {
  readonly address: string;
  /** Whom it leads to: a host as the network knows it, or a mailbox. */
  readonly shown: string;
}

const maxLength = 2000;

/** An address that may be opened, or nothing. The browser's own reader decides what an address is. */
export function safeAddress(text: string): SafeAddress | undefined {
  if (text.length > maxLength || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname, href } = new URL(text);
  if (protocol === 'http:' || protocol === 'https:') return { address: href, shown: host };
  if (protocol === 'mailto:') return { address: href, shown: pathname };
  return undefined;
}

/** The parts of a text are known by their places: while it grows, what stands before stays. */
export function withIndexKeys<Item>(
  items: readonly Item[],
): readonly { readonly key: string; readonly item: Item }[] {
  return items.map((item, index) => ({ key: String(index), item }));
}
