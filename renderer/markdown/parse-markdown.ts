import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { MarkdownSource, MdastNode, MdastNodeOf } from './mdast-nodes.ts';
import { isClosingFence, type MarkdownPiece, PieceSplitter } from './split-pieces.ts';

/** A part of a text with what it means; the same object as long as the part stays the same. */
export interface ParsedPiece extends MarkdownSource {
  /** None where it is too long or too deep, and is shown as it was written. */
  readonly nodes: readonly MdastNode[] | undefined;
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
      now.push({ at, source, nodes: isPlain ? undefined : nodesOf(kind, source) });
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

function nodesOf(kind: MarkdownPiece['kind'], source: string): ParsedPiece['nodes'] {
  if (kind === 'code') return [parseCodeBlock(source)];
  return isTooMuch(source) ? undefined : read(source)?.children;
}

/** A block of code between fences; one that has no end yet is code all the same. */
function parseCodeBlock(piece: string): MdastNodeOf<'code'> {
  const newline = piece.indexOf('\n');
  const first = newline === -1 ? piece : piece.slice(0, newline);
  const [, fence = '```', lang = ''] = /^ {0,3}(`{3,}|~{3,})\s*(\S{0,40})/.exec(first) ?? [];
  const body = newline === -1 ? '' : piece.slice(newline + 1).replace(/\r?\n$/, '');
  const last = body.lastIndexOf('\n');
  const closed = isClosingFence(body.slice(last + 1, last + 401), fence);
  const value = closed ? body.slice(0, Math.max(0, last)) : body;
  return { type: 'code', lang, value };
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
