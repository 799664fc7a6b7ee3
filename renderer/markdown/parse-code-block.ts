import type { MarkdownBlock } from './nodes.ts';
import { isClosingFence } from './split-pieces.ts';

/** A block of code between fences; one that has no end yet is code all the same. */
export function parseCodeBlock(piece: string): MarkdownBlock {
  const newline = piece.indexOf('\n');
  const first = newline === -1 ? piece : piece.slice(0, newline);
  const [, fence = '```', language = ''] = /^ {0,3}(`{3,}|~{3,})\s*(\S{0,40})/.exec(first) ?? [];
  const body = newline === -1 ? '' : piece.slice(newline + 1).replace(/\r?\n$/, '');
  const last = body.lastIndexOf('\n');
  const closed = isClosingFence(body.slice(last + 1, last + 401), fence);
  const text = closed ? body.slice(0, Math.max(0, last)) : body;
  return { type: 'code', language, text };
}
