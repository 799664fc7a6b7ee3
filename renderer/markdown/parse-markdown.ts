import type { Block } from './nodes.ts';
import { readCode } from './read-code.ts';
import { plainBlock, readPiece } from './read-piece.ts';
import { splitPieces } from './split-pieces.ts';
import type { Piece } from './split-pieces.ts';

/** A part of a text with what it means; the same object as long as the part stays the same. */
export interface ParsedPiece {
  readonly at: number;
  readonly source: string;
  readonly blocks: readonly Block[];
}

export type ParseMarkdown = (text: string) => readonly ParsedPiece[];

/** Twice what a model's whole context holds; what follows is shown as it was written. */
const mostRead = 64_000;

/** For one text that may grow: what was read before is not read again. */
export function createMarkdownParser(): ParseMarkdown {
  let before: readonly ParsedPiece[] = [];
  return (text) => {
    before = splitPieces(text).map(({ at, text: source, kind }, index) => {
      const known = before[index];
      if (known?.at === at && known.source === source) return known;
      const blocks = at > mostRead ? [plainBlock(source, at)] : blocksOf(kind, source, at);
      return { at, source, blocks };
    });
    return before;
  };
}

function blocksOf(kind: Piece['kind'], source: string, at: number): readonly Block[] {
  return kind === 'code' ? [readCode(source)] : readPiece(source, at);
}
