import type { fromMarkdown } from 'mdast-util-from-markdown';
import type { MarkdownInline } from './markdown-nodes.ts';

const maxDepth = 48;

export function inlinesFromMdast(
  nodes: readonly MdastNode[],
  context: ParseContext,
): readonly MarkdownInline[] {
  return nodes.flatMap((node) => inlineOf(node, context));
}

function inlineOf(node: MdastNode, context: ParseContext): readonly MarkdownInline[] {
  if (context.depth > maxDepth) return [asWritten(node, context)];
  const inner = { ...context, depth: context.depth + 1 };
  switch (node.type) {
    case 'text':
      return textOf(node, context);
    case 'strong':
    case 'emphasis':
      return [{ type: node.type, children: inlinesFromMdast(node.children, inner) }];
    case 'delete':
      return [{ type: 'deleted', children: inlinesFromMdast(node.children, inner) }];
    case 'inlineCode':
      return [{ type: 'code', text: node.value }];
    case 'break':
      return [{ type: 'break' }];
    case 'link':
      return linkOf(node, inner);
    case 'image':
      return [imageOf(node)];
    case 'blockquote':
    case 'code':
    case 'definition':
    case 'footnoteDefinition':
    case 'footnoteReference':
    case 'heading':
    case 'html':
    case 'imageReference':
    case 'linkReference':
    case 'list':
    case 'listItem':
    case 'paragraph':
    case 'table':
    case 'tableCell':
    case 'tableRow':
    case 'thematicBreak':
    case 'yaml':
      return [asWritten(node, context)];
  }
}

/** What leads nowhere that is safe is shown as it was written, with where it would have led. */
function linkOf(node: MdastNodeOf<'link'>, context: ParseContext): readonly MarkdownInline[] {
  const safe = safeAddress(node.url);
  if (safe === undefined) return [asWritten(node, context)];
  return [{ type: 'link', ...safe, children: inlinesFromMdast(node.children, context) }];
}

function imageOf({ url, alt }: MdastNodeOf<'image'>): MarkdownInline {
  return { type: 'image', alt: alt ?? '', address: safeAddress(url)?.address };
}

function textOf(
  node: MdastNodeOf<'text'>,
  { source, at }: ParseContext,
): readonly MarkdownInline[] {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? start;
  // With an escape or an entity in it the stars may be meant as stars.
  if (source.slice(start, end) === node.value) return findStrong(node.value, at + start);
  return [{ type: 'text', text: node.value, at: at + start }];
}

function asWritten(node: MdastNode, context: ParseContext): MarkdownInline {
  return { type: 'text', ...sourceTextOf(node, context) };
}

const strong = /\*\*(?=[^\s*])([^*\n]{1,400}?)(?<=[^\s*])\*\*/gu;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Markdown's rules for stars need spaces around words, and Chinese has none: `**好。**然后` is
 * left as it stands. Models write it all the time, and mean strong.
 */
function findStrong(text: string, at: number): readonly MarkdownInline[] {
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

export interface SafeAddress {
  readonly address: string;
  /** Whom it leads to: a host as the network knows it, or a mailbox. */
  readonly shown: string;
}

const maxLength = 2000;

/** An address that may be opened, or nothing. The browser's own reader decides what an address is. */
function safeAddress(text: string): SafeAddress | undefined {
  if (text.length > maxLength || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname, href } = new URL(text);
  if (protocol === 'http:' || protocol === 'https:') return { address: href, shown: host };
  if (protocol === 'mailto:') return { address: href, shown: pathname };
  return undefined;
}

/** Any part of the reader's tree. */
export type MdastNode = ReturnType<typeof fromMarkdown>['children'][number];
export type MdastNodeOf<Type extends MdastNode['type']> = Extract<MdastNode, { type: Type }>;

/** What is being read, and how deep. */
export interface ParseContext {
  readonly source: string;
  /** Where the source begins in the whole text. */
  readonly at: number;
  readonly depth: number;
}

/** A part as it stands in the source. */
export function sourceTextOf(
  node: MdastNode,
  { source, at }: ParseContext,
): { readonly text: string; readonly at: number } {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? source.length;
  return { text: source.slice(start, end), at: at + start };
}
