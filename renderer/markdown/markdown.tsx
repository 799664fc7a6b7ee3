import { memo, useEffect, useReducer, useState } from 'react';
import { BlocksView, PlainText } from './block-view.tsx';
import {
  HeardContext,
  type MarkdownActions,
  MarkdownContext,
  SourceContext,
} from './inline-views.tsx';
import { createMarkdownParser, type ParsedPiece } from './parse-markdown.ts';

interface Props {
  readonly text: string;
  /** Keep it the same from one rendering to the next, or everything is rendered again. */
  readonly actions: MarkdownActions;
  /** Characters that have been heard, while the text is being spoken. */
  readonly heard?: number | undefined;
}

/** As much as is read, made and laid out within a frame, as `workOf` counts it. A usual answer takes one or two. */
const workOfFrame = 100;
const frameMs = 16;

/**
 * A text of a model as elements; only the pieces that changed are read and rendered again. A very long one
 * comes frame by frame, so that the page has its turn.
 */
export function Markdown({ text, actions, heard }: Props) {
  const [parse] = useState(createMarkdownParser);
  const [group] = useState(createPieceGroups);
  const [frame, nextPart] = useReducer((times: number) => times + 1, 0);
  const { pieces, isWhole } = parse(text, workOfFrame);
  return (
    <MarkdownContext value={actions}>
      <div className="markdown">
        {group(pieces).map((pieces) => (
          <PiecesView key={pieces[0]?.at} pieces={pieces} heard={heardOf(pieces, heard)} />
        ))}
      </div>
      {!isWhole && <NextPart key={frame} come={nextPart} />}
    </MarkdownContext>
  );
}

/** Stands where the text is not whole yet, and has more of it come once that is drawn. */
function NextPart({ come }: { readonly come: () => void }) {
  useEffect(() => {
    const timer = setTimeout(come, frameMs);
    return () => clearTimeout(timer);
  }, [come]);
  return null;
}

/** So many are looked at together: a text may have thousands, of which the last one changes. */
const groupSize = 40;

type PieceGroup = readonly ParsedPiece[];

/** Groups of which all but the last are the very same from one time to the next. */
function createPieceGroups(): (pieces: readonly ParsedPiece[]) => readonly PieceGroup[] {
  let before: readonly PieceGroup[] = [];
  return (pieces) => {
    const count = Math.ceil(pieces.length / groupSize);
    before = Array.from({ length: count }, (_, index) => {
      const group = pieces.slice(index * groupSize, (index + 1) * groupSize);
      const known = before[index];
      const same =
        known?.length === group.length && known.every((piece, at) => piece === group[at]);
      return same ? known : group;
    });
    return before;
  };
}

/** The same for all that are heard to the end, and for all that are not heard yet. */
function heardOf(pieces: PieceGroup, heard: number | undefined): number | undefined {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (heard === undefined || first === undefined || last === undefined) return undefined;
  if (heard <= first.at) return 0;
  return heard >= last.at + last.source.length ? Number.POSITIVE_INFINITY : heard;
}

interface PiecesProps {
  readonly pieces: PieceGroup;
  readonly heard: number | undefined;
}

const PiecesView = memo(({ pieces, heard }: PiecesProps) =>
  pieces.map((piece) => <PieceView key={piece.at} piece={piece} heard={heardOf([piece], heard)} />),
);
PiecesView.displayName = 'PiecesView';

interface PieceProps {
  readonly piece: ParsedPiece;
  readonly heard: number | undefined;
}

/** No model writes so many blocks without a line between them. */
const manyBlocks = 12;

const PieceView = memo(function PieceView({ piece, heard }: PieceProps) {
  const { nodes, source, at } = piece;
  const blocks =
    nodes === undefined ? (
      <PlainText text={source.trimEnd()} at={at} />
    ) : (
      <BlocksView nodes={nodes} depth={0} />
    );
  return (
    <SourceContext value={piece}>
      <HeardContext value={heard}>
        {(nodes?.length ?? 1) < manyBlocks ? (
          blocks
        ) : (
          <div className="markdown-crowd">{blocks}</div>
        )}
      </HeardContext>
    </SourceContext>
  );
});
