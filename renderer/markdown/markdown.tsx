import { memo, useState } from 'react';
import { BlockView } from './block-view.tsx';
import { HeardContext, MarkdownContext } from './markdown-context.ts';
import type { MarkdownActions } from './markdown-context.ts';
import { createMarkdownParser } from './parse-markdown.ts';
import type { ParsedPiece } from './parse-markdown.ts';
import { withIndexKeys } from './nodes.ts';

interface Props {
  readonly text: string;
  /** Keep it the same from one rendering to the next, or everything is rendered again. */
  readonly actions: MarkdownActions;
  /** Characters that have been heard, while the text is being spoken. */
  readonly heard?: number | undefined;
}

/** A text of a model as elements; only the pieces that changed are read and rendered again. */
export function Markdown({ text, actions, heard }: Props) {
  const [parse] = useState(createMarkdownParser);
  return (
    <MarkdownContext value={actions}>
      <div className="markdown">
        {parse(text).map((piece) => (
          <PieceView key={piece.at} piece={piece} heard={heardOf(piece, heard)} />
        ))}
      </div>
    </MarkdownContext>
  );
}

/** The same for all pieces that are heard to the end, and for all that are not heard yet. */
function heardOf({ at, source }: ParsedPiece, heard: number | undefined): number | undefined {
  if (heard === undefined) return undefined;
  if (heard <= at) return 0;
  return heard >= at + source.length ? Number.POSITIVE_INFINITY : heard;
}

interface PieceProps {
  readonly piece: ParsedPiece;
  readonly heard: number | undefined;
}

const PieceView = memo(({ piece, heard }: PieceProps) => (
  <HeardContext value={heard}>
    {withIndexKeys(piece.blocks).map(({ key, item }) => (
      <BlockView key={key} block={item} />
    ))}
  </HeardContext>
));
PieceView.displayName = 'PieceView';
