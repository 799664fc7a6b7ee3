import type { Block } from './nodes.ts';
import { readCode } from './read-code.ts';
import { readPiece } from './read-piece.ts';
import { splitPieces } from './split-pieces.ts';

/** A part of a text with what it means; the same object as long as the part stays the same. */
export interface ParsedPiece {
  readonly at: number;
  readonly source: string;
  readonly blocks: readonly Block[];
}

export type ParseMarkdown = (text: string) => readonly ParsedPiece[];

/** For one text that may grow: what was read before is not read again. */
export function createMarkdownParser(): ParseMarkdown {
  let before: readonly ParsedPiece[] = [];
  return (text) => {
    before = splitPieces(text).map(({ at, text: source, kind }, index) => {
      const known = before[index];
      if (known?.at === at && known.source === source) return known;
      const blocks = kind === 'code' ? [readCode(source)] : readPiece(source, at);
      return { at, source, blocks };
    });
    return before;
  };
}
