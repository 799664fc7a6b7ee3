import { inlinesFromMdast } from './inlines-from-mdast.ts';
import type { MarkdownBlock, MarkdownTableCell } from './nodes.ts';
import { sourceTextOf } from './parse-context.ts';
import type { MdastNodeOf, MdastNode, ParseContext } from './parse-context.ts';

/** Deeper than this is shown as it was written. */
const maxDepth = 24;

/** A node of the reader's tree as ours; what has no place among ours is text. */
export function blocksFromMdast(node: MdastNode, context: ParseContext): readonly MarkdownBlock[] {
  if (context.depth > maxDepth) return [asWritten(node, context)];
  const inner = { ...context, depth: context.depth + 1 };
  switch (node.type) {
    case 'paragraph':
      return [{ type: 'paragraph', children: inlinesFromMdast(node.children, inner) }];
    case 'heading':
      return [
        { type: 'heading', level: node.depth, children: inlinesFromMdast(node.children, inner) },
      ];
    case 'blockquote':
    case 'footnoteDefinition':
      return [{ type: 'quote', children: blocksOf(node.children, inner) }];
    case 'list':
      return [
        {
          type: 'list',
          start: node.ordered === true ? (node.start ?? 1) : undefined,
          items: node.children.map((item) => ({
            checked: item.checked ?? undefined,
            children: blocksOf(item.children, inner),
          })),
        },
      ];
    case 'code':
      return [{ type: 'code', language: (node.lang ?? '').slice(0, 40), text: node.value }];
    case 'table':
      return [tableOf(node, inner)];
    case 'thematicBreak':
      return [{ type: 'rule' }];
    case 'break':
    case 'definition':
    case 'delete':
    case 'emphasis':
    case 'footnoteReference':
    case 'html':
    case 'image':
    case 'imageReference':
    case 'inlineCode':
    case 'link':
    case 'linkReference':
    case 'listItem':
    case 'strong':
    case 'tableCell':
    case 'tableRow':
    case 'text':
    case 'yaml':
      return [asWritten(node, context)];
  }
}

function blocksOf(nodes: readonly MdastNode[], context: ParseContext): readonly MarkdownBlock[] {
  return nodes.flatMap((node) => blocksFromMdast(node, context));
}

function tableOf({ align, children }: MdastNodeOf<'table'>, context: ParseContext): MarkdownBlock {
  const rows = children.map((row) =>
    row.children.map((cell, column): MarkdownTableCell => ({
      align: align?.[column] ?? undefined,
      children: inlinesFromMdast(cell.children, context),
    })),
  );
  return { type: 'table', head: rows[0] ?? [], rows: rows.slice(1) };
}

function asWritten(node: MdastNode, context: ParseContext): MarkdownBlock {
  return { type: 'plain', ...sourceTextOf(node, context) };
}
