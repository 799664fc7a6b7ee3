import { memo, use, useEffect, useMemo, useReducer, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../app/app-context.ts';
import { copyText, useCopied } from '../design/copy-text.ts';
import {
  HeardContext,
  InlinesView,
  type MarkdownActions,
  MarkdownContext,
  SourceContext,
  SpokenText,
} from './inline-views.tsx';
import {
  createMarkdownParser,
  type MdastNode,
  type MdastNodeOf,
  type ParsedPiece,
  sourceText,
  type TextSpan,
  withIndexKeys,
} from './parse-markdown.ts';
import './markdown.css';

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

/**
 * The position of the current word in the text, as far as it concerns this group: 0 if the word is before the group, infinity
 * if it is after. Only the group with the word then gets a new value, and renders again.
 */
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

/**
 * A piece with this many blocks is not laid out while it is off screen. Models write empty lines between blocks, and
 * pieces end there, so only unusual texts have such a piece.
 */
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

interface NodeProps<Node = MdastNode> {
  readonly node: Node;
  readonly depth: number;
}

const headings = ['h3', 'h4', 'h5', 'h6'] as const;

/** Deeper blocks are shown as source text. */
const maxDepth = 24;

/** One block; each part gets its own text direction. Unknown kinds are shown as source text. */
function BlockView({ node, depth }: NodeProps) {
  if (depth > maxDepth) return <PlainView node={node} />;
  const inner = depth + 1;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the grammar has more than is drawn
  switch (node.type) {
    case 'paragraph':
      return (
        <p dir="auto">
          <InlinesView nodes={node.children} depth={inner} />
        </p>
      );
    case 'heading': {
      // Headings in a turn rank below the headings of the screen.
      const Heading = headings[node.depth - 1] ?? 'h6';
      return (
        <Heading dir="auto">
          <InlinesView nodes={node.children} depth={inner} />
        </Heading>
      );
    }
    case 'blockquote':
    case 'footnoteDefinition':
      return (
        <blockquote dir="auto">
          <BlocksView nodes={node.children} depth={inner} />
        </blockquote>
      );
    case 'list':
      return <ListView node={node} depth={inner} />;
    case 'code':
      return <CodeView language={(node.lang ?? '').slice(0, 40)} text={node.value} />;
    case 'table':
      return <TableView node={node} depth={inner} />;
    case 'thematicBreak':
      return <hr />;
    default:
      return <PlainView node={node} />;
  }
}

function PlainView({ node }: Pick<NodeProps, 'node'>) {
  return <PlainText {...sourceText(node, use(SourceContext))} />;
}

/** Source text that is not formatted: too long, too deep or of an unknown kind. */
function PlainText(text: TextSpan) {
  return (
    <p dir="auto" className="markdown-plain">
      <SpokenText {...text} />
    </p>
  );
}

interface BlocksProps {
  readonly nodes: readonly MdastNode[];
  readonly depth: number;
}

function BlocksView({ nodes, depth }: BlocksProps) {
  return withIndexKeys(nodes).map(({ key, item }) => (
    <BlockView key={key} node={item} depth={depth} />
  ));
}

/** In a list of this many items or more, the browser does not lay out those off screen. */
const minLongListItems = 60;

function ListView({ node: { ordered, start, children }, depth }: NodeProps<MdastNodeOf<'list'>>) {
  const items = withIndexKeys(children).map(({ key, item: { checked, children } }) => {
    const isTask = typeof checked === 'boolean';
    return (
      <li key={key} dir="auto" data-task={isTask || undefined}>
        {isTask && <input type="checkbox" checked={checked} disabled readOnly />}
        <BlocksView nodes={children} depth={depth} />
      </li>
    );
  });
  const isLong = items.length >= minLongListItems || undefined;
  return ordered === true ? (
    <ol start={start ?? 1} data-long={isLong}>
      {items}
    </ol>
  ) : (
    <ul data-long={isLong}>{items}</ul>
  );
}

function CodeView({ language, text }: { readonly language: string; readonly text: string }) {
  const { copyCode, labels } = use(MarkdownContext);
  const { copied, setCopied } = useCopied();
  const parts = splitCode(text);
  return (
    <figure className="markdown-code" dir="ltr">
      <figcaption className="hint">
        <span>{language}</span>
        <button
          type="button"
          onClick={() => {
            copyCode(text);
            setCopied();
          }}
        >
          {copied ? labels.copied : labels.copy}
        </button>
      </figcaption>
      <pre tabIndex={0}>
        <code>
          {parts.length === 1
            ? text
            : withIndexKeys(parts).map(({ key, item }) => <CodePart key={key} text={item} />)}
        </code>
      </pre>
    </figure>
  );
}

/** Memoized parts: while long code streams in, only the last part changes. */
const CodePart = memo(({ text }: { readonly text: string }) => (
  <span className="markdown-code-part">{text}</span>
));
CodePart.displayName = 'CodePart';

const maxPartLength = 4000;

/** Splits code at line ends; the parts are blocks, so the newlines between them are dropped. */
function splitCode(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > maxPartLength) {
    const end = text.indexOf('\n', from + maxPartLength);
    if (end === -1) break;
    parts.push(text.slice(from, end));
    from = end + 1;
  }
  return [...parts, text.slice(from)];
}

function TableView({ node: { align, children }, depth }: NodeProps<MdastNodeOf<'table'>>) {
  const [head, ...rows] = withIndexKeys(children).map(({ key, item: row }, index) => (
    <tr key={key}>
      {withIndexKeys(row.children).map(({ key, item: cell }, column) => {
        const Cell = index === 0 ? 'th' : 'td';
        const scope = index === 0 ? 'col' : undefined;
        return (
          <Cell key={key} scope={scope} dir="auto" data-align={align?.[column] ?? undefined}>
            <InlinesView nodes={cell.children} depth={depth} />
          </Cell>
        );
      })}
    </tr>
  ));
  return (
    <div className="markdown-table" role="group" tabIndex={0}>
      <table>
        <thead>{head}</thead>
        <tbody>{rows}</tbody>
      </table>
    </div>
  );
}

export function useMarkdownActions(): MarkdownActions {
  const { t } = useTranslation();
  const { chat } = useActions();
  return useMemo(
    () => ({
      openLink: (address) => {
        // The desktop window blocks navigation and hands the address to the system.
        window.open(address, '_blank', 'noopener,noreferrer');
      },
      copyCode: (text) => {
        if (!copyText(text)) chat.note({ kind: 'notCopied' });
      },
      labels: {
        copy: t('buttons.copy'),
        copied: t('chat.actions.copied'),
        picture: t('chat.media.linked'),
      },
    }),
    [t, chat],
  );
}
