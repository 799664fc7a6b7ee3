import { findStrong } from './find-strong.ts';
import type { Inline } from './nodes.ts';
import { writtenAs } from './reading.ts';
import type { NodeOf, Nodes, Reading } from './reading.ts';
import { safeAddress } from './safe-address.ts';

const deepest = 48;

export function inlinesOf(nodes: readonly Nodes[], reading: Reading): readonly Inline[] {
  return nodes.flatMap((node) => inlineOf(node, reading));
}

function inlineOf(node: Nodes, reading: Reading): readonly Inline[] {
  if (reading.depth > deepest) return [asWritten(node, reading)];
  const inner = { ...reading, depth: reading.depth + 1 };
  switch (node.type) {
    case 'text':
      return textOf(node, reading);
    case 'strong':
    case 'emphasis':
      return [{ type: node.type, children: inlinesOf(node.children, inner) }];
    case 'delete':
      return [{ type: 'deleted', children: inlinesOf(node.children, inner) }];
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
      return [asWritten(node, reading)];
  }
}

/** What leads nowhere that is safe is shown as it was written, with where it would have led. */
function linkOf(node: NodeOf<'link'>, reading: Reading): readonly Inline[] {
  const safe = safeAddress(node.url);
  if (safe === undefined) return [asWritten(node, reading)];
  return [{ type: 'link', ...safe, children: inlinesOf(node.children, reading) }];
}

function imageOf({ url, alt }: NodeOf<'image'>): Inline {
  return { type: 'image', alt: alt ?? '', address: safeAddress(url)?.address };
}

function textOf(node: NodeOf<'text'>, { source, at }: Reading): readonly Inline[] {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? start;
  // With an escape or an entity in it the stars may be meant as stars.
  if (source.slice(start, end) === node.value) return findStrong(node.value, at + start);
  return [{ type: 'text', text: node.value, at: at + start }];
}

function asWritten(node: Nodes, reading: Reading): Inline {
  return { type: 'text', ...writtenAs(node, reading) };
}
