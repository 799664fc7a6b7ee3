import type { MarkdownBlock } from './nodes.ts';
import { parseCodeBlock } from './parse-code-block.ts';
import { plainBlock, parsePiece } from './parse-piece.ts';
import { splitPieces } from './split-pieces.ts';
import type { MarkdownPiece } from './split-pieces.ts';

/** A part of a text with what it means; the same object as long as the part stays the same. */
export interface ParsedPiece {
  readonly at: number;
  readonly source: string;
  readonly blocks: readonly MarkdownBlock[];
}

export type ParseMarkdown = (text: string) => readonly ParsedPiece[];

/** Twice what a model's whole context holds; what follows is shown as it was written. */
const maxParsedLength = 64_000;

/** For one text that may grow: what was read before is not read again. */
export function createMarkdownParser(): ParseMarkdown {
  let before: readonly ParsedPiece[] = [];
  return (text) => {
    before = splitPieces(text).map(({ at, text: source, kind }, index) => {
      const known = before[index];
      if (known?.at === at && known.source === source) return known;
      const blocks = at > maxParsedLength ? [plainBlock(source, at)] : blocksOf(kind, source, at);
      return { at, source, blocks };
    });
    return before;
  };
}

function blocksOf(
  kind: MarkdownPiece['kind'],
  source: string,
  at: number,
): readonly MarkdownBlock[] {
  return kind === 'code' ? [parseCodeBlock(source)] : parsePiece(source, at);
}
