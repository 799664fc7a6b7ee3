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
  /** Must keep its identity between renders, or everything renders again. */
  readonly actions: MarkdownActions;
  /** Characters that have been heard, while the text is being spoken. */
  readonly heard?: number | undefined;
}

/** How much work, as estimated by the parser, fits into a frame. A typical answer takes one or two frames. */
const workPerFrame = 100;
const frameMs = 16;

/** Long texts are parsed over several frames; only changed pieces render again. */
export function Markdown({ text, actions, heard }: Props) {
  const [parse] = useState(createMarkdownParser);
  const [group] = useState(createPieceGroups);
  const [frame, parseNext] = useReducer((times: number) => times + 1, 0);
  const { pieces, isWhole } = parse(text, workPerFrame);
  return (
    <MarkdownContext value={actions}>
      <div className="markdown">
        {group(pieces).map((pieces) => (
          <PiecesView key={pieces[0]?.at} pieces={pieces} heard={heardWithin(pieces, heard)} />
        ))}
      </div>
      {!isWhole && <NextFrame key={frame} onFrame={parseNext} />}
    </MarkdownContext>
  );
}

function NextFrame({ onFrame }: { readonly onFrame: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onFrame, frameMs);
    return () => clearTimeout(timer);
  }, [onFrame]);
  return null;
}

/** Pieces per group. A text may have thousands of pieces, of which only the last changes. */
const groupSize = 40;

type PieceGroup = readonly ParsedPiece[];

function createPieceGroups(): (pieces: readonly ParsedPiece[]) => readonly PieceGroup[] {
  let before: readonly PieceGroup[] = [];
  return (pieces) => {
    const count = Math.ceil(pieces.length / groupSize);
    before = Array.from({ length: count }, (_, index) => {
      const group = pieces.slice(index * groupSize, (index + 1) * groupSize);
      const known = before[index];
      const isUnchanged =
        known?.length === group.length && known.every((piece, at) => piece === group[at]);
      return isUnchanged ? known : group;
    });
    return before;
  };
}

/** Clamped to 0 or infinity outside the group, so that other groups do not render again. */
function heardWithin(pieces: PieceGroup, heard: number | undefined): number | undefined {
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
  pieces.map((piece) => (
    <PieceView key={piece.at} piece={piece} heard={heardWithin([piece], heard)} />
  )),
);
PiecesView.displayName = 'PiecesView';

interface PieceProps {
  readonly piece: ParsedPiece;
  readonly heard: number | undefined;
}

/** Models never write this many blocks without an empty line between them. */
const minCrowdedBlocks = 12;

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
        {(nodes?.length ?? 1) < minCrowdedBlocks ? (
          blocks
        ) : (
          <div className="markdown-crowd">{blocks}</div>
        )}
      </HeardContext>
    </SourceContext>
  );
});
