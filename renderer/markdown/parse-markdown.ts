import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import {
  isClosingFence,
  type MarkdownPiece,
  maxParsedLength,
  PieceSplitter,
} from './split-pieces.ts';

/** A piece with its nodes; the same object as long as the piece is unchanged. */
export interface ParsedPiece extends MarkdownSource {
  /** Undefined if the piece is too much to parse, and is shown as source text. */
  readonly nodes: readonly MdastNode[] | undefined;
}

interface ParsedText {
  readonly pieces: readonly ParsedPiece[];
  readonly isWhole: boolean;
}

/** Parses new pieces up to `maxWork` (see `estimateWork`), but at least one. */
type ParseMarkdown = (text: string, maxWork?: number) => ParsedText;

/** Lines to split per unit of parsing work; splitting costs far less. */
const linesAhead = 20;

export function createMarkdownParser(): ParseMarkdown {
  const splitter = new PieceSplitter();
  let pieces: readonly MarkdownPiece[] = [];
  let parsed: readonly ParsedPiece[] = [];
  return (text, maxWork = Number.POSITIVE_INFINITY) => {
    const before = { pieces, parsed };
    pieces = splitter.split(text, maxWork * linesAhead);
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
      if (read >= maxWork) break;
      const { offset, text: source, kind } = piece;
      const isPlain = offset > maxParsedLength;
      read += isPlain ? 1 : estimateWork(source);
      now.push({ at: offset, source, nodes: isPlain ? undefined : parsePiece(kind, source) });
    }
    parsed = now;
    return { pieces: parsed, isWhole: splitter.isWhole && parsed.length === pieces.length };
  };
}

/** In lines. A line costs as much to parse and lay out as a hundred characters within a line. */
function estimateWork(source: string): number {
  let lines = 1;
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) lines += 1;
  return lines + source.length / 100;
}

function isSame(known: MarkdownPiece | undefined, piece: MarkdownPiece): boolean {
  return known === piece || (known?.offset === piece.offset && known.text === piece.text);
}

function parsePiece(kind: MarkdownPiece['kind'], source: string): ParsedPiece['nodes'] {
  if (kind === 'code') return [parseCodeBlock(source)];
  return isTooMuch(source) ? undefined : parse(source)?.children;
}

/** A fenced code block; an unclosed one counts as code as well. */
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

/** In characters. A page parses this much without a noticeable delay; a longer piece is shown as source text. */
const maxPieceLength = 16_000;
/** No real text nests deeper, and parsing time grows with the square of the depth. */
const tooDeepLine = /^(?:[ \t]{0,8}(?:>|[-*+]|\d{1,9}[.)])){25}|^[ \t]{100}/m;

/** Parsing time grows with the square of the marks: twenty thousand take ten seconds. */
const maxMarks = 1200;
const mark = /[*_~[\]`<@\\|]/g;

/** HTML is not markup here; it is shown as text. */
const extensions = [gfm({ singleTilde: false }), { disable: { null: ['htmlFlow', 'htmlText'] } }];
const mdastExtensions = [gfmFromMarkdown()];

function isTooMuch(source: string): boolean {
  if (source.length > maxPieceLength || tooDeepLine.test(source)) return true;
  return source.length > maxMarks && (source.match(mark)?.length ?? 0) > maxMarks;
}

function parse(source: string): ReturnType<typeof fromMarkdown> | undefined {
  try {
    return fromMarkdown(source, { extensions, mdastExtensions });
  } catch (error) {
    // Text built to be deep can exhaust the parser's stack; any other error is a bug.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

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

/** CommonMark leaves `**好。**然后` as it is, because Chinese has no spaces; models mean bold. */
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
  /** The destination: the host in ASCII (Punycode), or a mailbox. */
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
