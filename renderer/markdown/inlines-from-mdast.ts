import { findStrong } from './find-strong.ts';
import type { MarkdownInline } from './nodes.ts';
import { sourceTextOf } from './parse-context.ts';
import type { MdastNodeOf, MdastNode, ParseContext } from './parse-context.ts';
import { safeAddress } from './safe-address.ts';

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
