import { inlinesOf } from './inline-of.ts';
import type { Block, Cell } from './nodes.ts';
import { writtenAs } from './reading.ts';
import type { NodeOf, Nodes, Reading } from './reading.ts';

/** Deeper than this is shown as it was written. */
const deepest = 24;

/** A node of the reader's tree as ours; what has no place among ours is text. */
export function blockOf(node: Nodes, reading: Reading): readonly Block[] {
  if (reading.depth > deepest) return [asWritten(node, reading)];
  const inner = { ...reading, depth: reading.depth + 1 };
  switch (node.type) {
    case 'paragraph':
      return [{ type: 'paragraph', children: inlinesOf(node.children, inner) }];
    case 'heading':
      return [{ type: 'heading', level: node.depth, children: inlinesOf(node.children, inner) }];
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
      return [asWritten(node, reading)];
  }
}

function blocksOf(nodes: readonly Nodes[], reading: Reading): readonly Block[] {
  return nodes.flatMap((node) => blockOf(node, reading));
}

function tableOf({ align, children }: NodeOf<'table'>, reading: Reading): Block {
  const rows = children.map((row) =>
    row.children.map((cell, column): Cell => ({
      align: align?.[column] ?? undefined,
      children: inlinesOf(cell.children, reading),
    })),
  );
  return { type: 'table', head: rows[0] ?? [], rows: rows.slice(1) };
}

function asWritten(node: Nodes, reading: Reading): Block {
  return { type: 'plain', ...writtenAs(node, reading) };
}
