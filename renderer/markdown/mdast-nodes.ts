import type { fromMarkdown } from 'mdast-util-from-markdown';

export type MdastNode = ReturnType<typeof fromMarkdown>['children'][number];
export type MdastNodeOf<Type extends MdastNode['type']> = Extract<MdastNode, { type: Type }>;

/** The source text of a part of the tree. */
export interface MarkdownSource {
  readonly source: string;
  readonly at: number;
}

/** A text and its offset in the whole text, to mark what has been heard. */
export interface TextSpan {
  readonly text: string;
  readonly at: number;
}

export function sourceText(node: MdastNode, { source, at }: MarkdownSource): TextSpan {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? source.length;
  return { text: source.slice(start, end), at: at + start };
}

const strong = /\*\*(?=[^\s*])([^*\n]{1,400}?)(?<=[^\s*])\*\*/gu;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** CommonMark leaves `**好。**然后` as it is, because Chinese has no spaces; models mean strong. */
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
  /** The destination: a host as the network knows it, or a mailbox. */
  readonly shown: string;
}

const maxLength = 2000;

/** The address if it may be opened, else undefined. The browser's URL parser decides. */
export function safeAddress(text: string): SafeAddress | undefined {
  if (text.length > maxLength || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname, href } = new URL(text);
  if (protocol === 'http:' || protocol === 'https:') return { address: href, shown: host };
  if (protocol === 'mailto:') return { address: href, shown: pathname };
  return undefined;
}

/** Index keys are stable here, because a growing text only appends. */
export function withIndexKeys<Item>(
  items: readonly Item[],
): readonly { readonly key: string; readonly item: Item }[] {
  return items.map((item, index) => ({ key: String(index), item }));
}
