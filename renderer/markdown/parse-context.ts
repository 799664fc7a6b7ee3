import type { fromMarkdown } from 'mdast-util-from-markdown';

/** Any part of the reader's tree. */
export type MdastNode = ReturnType<typeof fromMarkdown>['children'][number];
export type MdastNodeOf<Type extends MdastNode['type']> = Extract<MdastNode, { type: Type }>;

/** What is being read, and how deep. */
export interface ParseContext {
  readonly source: string;
  /** Where the source begins in the whole text. */
  readonly at: number;
  readonly depth: number;
}

/** A part as it stands in the source. */
export function sourceTextOf(
  node: MdastNode,
  { source, at }: ParseContext,
): { readonly text: string; readonly at: number } {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? source.length;
  return { text: source.slice(start, end), at: at + start };
}
