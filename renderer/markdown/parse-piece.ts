import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { blocksFromMdast } from './blocks-from-mdast.ts';
import type { MarkdownBlock } from './nodes.ts';

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
export function parsePiece(source: string, at: number): readonly MarkdownBlock[] {
  const tree = isTooMuch(source) ? undefined : read(source);
  return tree === undefined
    ? [plainBlock(source, at)]
    : tree.children.flatMap((child) => blocksFromMdast(child, { source, at, depth: 0 }));
}

export function plainBlock(source: string, at: number): MarkdownBlock {
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
