import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import {
  inlinesFromMdast,
  type MdastNode,
  type MdastNodeOf,
  type ParseContext,
  sourceTextOf,
} from './inlines-from-mdast.ts';
import type { MarkdownBlock, MarkdownTableCell } from './markdown-nodes.ts';
import { isClosingFence, type MarkdownPiece, PieceSplitter } from './split-pieces.ts';

/** A part of a text with what it means; the same object as long as the part stays the same. */
export interface ParsedPiece {
  readonly at: number;
  readonly source: string;
  readonly blocks: readonly MarkdownBlock[];
}

/** A text as far as it has been read. */
export interface ParsedText {
  readonly pieces: readonly ParsedPiece[];
  readonly isWhole: boolean;
}

/** Of what is new no more is read than `most` counts, but always a piece of it. */
export type ParseMarkdown = (text: string, most?: number) => ParsedText;

/** Twice what a model's whole context holds; what follows is shown as it was written. */
const maxParsedLength = 64_000;

/** To be cut takes a line as little as this against being read. */
const linesAhead = 20;

/** For one text that may grow: what was read before is not read again. */
export function createMarkdownParser(): ParseMarkdown {
  const splitter = new PieceSplitter();
  let pieces: readonly MarkdownPiece[] = [];
  let parsed: readonly ParsedPiece[] = [];
  return (text, most = Number.POSITIVE_INFINITY) => {
    const before = { pieces, parsed };
    pieces = splitter.split(text, most * linesAhead);
    const now: ParsedPiece[] = [];
    let read = 0;
    for (let index = 0; index < pieces.length; index += 1) {
      const piece = pieces[index];
      if (piece === undefined) break;
      const known = before.parsed[index];
      if (known !== undefined && isSame(before.pieces[index], piece)) {
        now.push(known);
        continue;
      }
      if (read >= most) break;
      const { at, text: source, kind } = piece;
      const isPlain = at > maxParsedLength;
      read += isPlain ? 1 : workOf(source);
      now.push({
        at,
        source,
        blocks: isPlain ? [plainBlock(source, at)] : blocksOf(kind, source, at),
      });
    }
    parsed = now;
    return { pieces: parsed, isWhole: splitter.isWhole && parsed.length === pieces.length };
  };
}

/** A line is as much to read, to make and to lay out as a hundred letters within one. */
function workOf(source: string): number {
  let lines = 1;
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) lines += 1;
  return lines + source.length / 100;
}

function isSame(known: MarkdownPiece | undefined, piece: MarkdownPiece): boolean {
  return known === piece || (known?.at === piece.at && known.text === piece.text);
}

function blocksOf(
  kind: MarkdownPiece['kind'],
  source: string,
  at: number,
): readonly MarkdownBlock[] {
  return kind === 'code' ? [parseCodeBlock(source)] : parsePiece(source, at);
}

/** A block of code between fences; one that has no end yet is code all the same. */
function parseCodeBlock(piece: string): MarkdownBlock {
  const newline = piece.indexOf('\n');
  const first = newline === -1 ? piece : piece.slice(0, newline);
  const [, fence = '```', language = ''] = /^ {0,3}(`{3,}|~{3,})\s*(\S{0,40})/.exec(first) ?? [];
  const body = newline === -1 ? '' : piece.slice(newline + 1).replace(/\r?\n$/, '');
  const last = body.lastIndexOf('\n');
  const closed = isClosingFence(body.slice(last + 1, last + 401), fence);
  const text = closed ? body.slice(0, Math.max(0, last)) : body;
  return { type: 'code', language, text };
}

/** What a page reads without being felt; a longer paragraph is no paragraph any more. */
const maxPieceLength = 16_000;
/** Nobody nests deeper, and the reader's time grows with the square. */
const tooDeepLine = /^(?:[ \t]{0,8}(?:>|[-*+]|\d{1,9}[.)])){25}|^[ \t]{100}/m;

/** The reader compares marks with marks: twenty thousand of them would take it ten seconds. */
const maxMarks = 1200;
const mark = /[*_~[\]`<@\\|]/g;

/** HTML is no markup here: it is text like all else that is not Markdown. */
const extensions = [gfm({ singleTilde: false }), { disable: { null: ['htmlFlow', 'htmlText'] } }];
const mdastExtensions = [gfmFromMarkdown()];

/** One piece of a text as blocks; what is too long or too deep is shown as it was written. */
function parsePiece(source: string, at: number): readonly MarkdownBlock[] {
  const tree = isTooMuch(source) ? undefined : read(source);
  return tree === undefined
    ? [plainBlock(source, at)]
    : tree.children.flatMap((child) => blocksFromMdast(child, { source, at, depth: 0 }));
}

function plainBlock(source: string, at: number): MarkdownBlock {
  return { type: 'plain', text: source.trimEnd(), at };
}

function isTooMuch(source: string): boolean {
  if (source.length > maxPieceLength || tooDeepLine.test(source)) return true;
  return source.length > maxMarks && (source.match(mark)?.length ?? 0) > maxMarks;
}

function read(source: string): ReturnType<typeof fromMarkdown> | undefined {
  try {
    return fromMarkdown(source, { extensions, mdastExtensions });
  } catch (error) {
    // Text that is made to be deep can exhaust the reader's stack; anything else is a fault of ours.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Deeper than this is shown as it was written. */
const maxDepth = 24;

/** A node of the reader's tree as ours; what has no place among ours is text. */
function blocksFromMdast(node: MdastNode, context: ParseContext): readonly MarkdownBlock[] {
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
      return [{ type: 'quote', children: blocksFromMdastBlocksOf(node.children, inner) }];
    case 'list':
      return [
        {
          type: 'list',
          start: node.ordered === true ? (node.start ?? 1) : undefined,
          items: node.children.map((item) => ({
            checked: item.checked ?? undefined,
            children: blocksFromMdastBlocksOf(item.children, inner),
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

function blocksFromMdastBlocksOf(
  nodes: readonly MdastNode[],
  context: ParseContext,
): readonly MarkdownBlock[] {
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
