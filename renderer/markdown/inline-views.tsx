import { createContext, type MouseEvent, type ReactNode, use } from 'react';
import {
  type MarkdownSource,
  type MdastNode,
  type MdastNodeOf,
  safeAddress,
  strongParts,
  type TextSpan,
  withIndexKeys,
  sourceText,
} from './parse-markdown.ts';

export interface MarkdownActions {
  /** Opens the address outside the app; the page itself never navigates. */
  readonly openLink: (address: string) => void;
  /** Goes to the heading with this anchor. Without it, a link to a heading is shown as source text. */
  readonly goToHeading?: (anchor: string) => void;
  readonly copyCode: (text: string) => void;
  readonly labels: {
    readonly copy: string;
    readonly copied: string;
    /** Stands for a picture without a description; pictures are never loaded. */
    readonly picture: string;
  };
}

export const MarkdownContext = createContext<MarkdownActions>({
  openLink: () => undefined,
  copyCode: () => undefined,
  labels: { copy: '', copied: '', picture: '' },
});

/** How far the text has been heard, in characters; undefined if it is not spoken. */
export const HeardContext = createContext<number | undefined>(undefined);

/** The source of the nodes being rendered. */
export const SourceContext = createContext<MarkdownSource>({ source: '', at: 0 });

interface NodeProps<Node = MdastNode> {
  readonly node: Node;
  readonly depth: number;
}

interface InlinesProps {
  readonly nodes: readonly MdastNode[];
  readonly depth: number;
}

/** Renders what is inside a block: text, emphasis, code, links and pictures. */
export function InlinesView({ nodes, depth }: InlinesProps) {
  return withIndexKeys(nodes).map(({ key, item }) => (
    <InlineView key={key} node={item} depth={depth} />
  ));
}

const maxDepth = 48;
const elements = { strong: 'strong', emphasis: 'em', delete: 'del' } as const;

/** Nodes that are too deep or unknown are shown as source text. */
function InlineView({ node, depth }: NodeProps) {
  if (depth > maxDepth) return <SourceText node={node} />;
  const inner = depth + 1;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the grammar has more than is drawn
  switch (node.type) {
    case 'text':
      return <TextView node={node} />;
    case 'strong':
    case 'emphasis':
    case 'delete': {
      const Element = elements[node.type];
      return (
        <Element>
          <InlinesView nodes={node.children} depth={inner} />
        </Element>
      );
    }
    case 'inlineCode':
      return <code dir="ltr">{node.value}</code>;
    case 'break':
      return <br />;
    case 'link':
      return <SafeLink node={node} depth={inner} />;
    case 'image':
      return <PictureView alt={node.alt ?? ''} address={safeAddress(node.url)?.address} />;
    default:
      return <SourceText node={node} />;
  }
}

function SourceText({ node }: Pick<NodeProps, 'node'>) {
  return <SpokenText {...sourceText(node, use(SourceContext))} />;
}

function TextView({ node }: { readonly node: MdastNodeOf<'text'> }) {
  const { text, at } = sourceText(node, use(SourceContext));
  // The text has escapes or entities, so its asterisks may be literal. Strong text is not looked for in it.
  if (text !== node.value) return <SpokenText text={node.value} at={at} />;
  return withIndexKeys(strongParts({ text, at })).map(({ key, item: { strong, ...part } }) =>
    strong ? (
      <strong key={key}>
        <SpokenText {...part} />
      </strong>
    ) : (
      <SpokenText key={key} {...part} />
    ),
  );
}

function SafeLink({ node, depth }: NodeProps<MdastNodeOf<'link'>>) {
  const { goToHeading } = use(MarkdownContext);
  if (goToHeading !== undefined && node.url.startsWith('#')) {
    const go = (event: MouseEvent): void => {
      event.preventDefault();
      if (event.type === 'click') goToHeading(decodeURIComponent(node.url.slice(1)));
    };
    return (
      <a href={node.url} draggable={false} onClick={go} onAuxClick={go}>
        <InlinesView nodes={node.children} depth={depth} />
      </a>
    );
  }
  const safe = safeAddress(node.url);
  if (safe === undefined) return <SourceText node={node} />;
  return (
    <LinkView {...safe} text={plainText(node)}>
      <InlinesView nodes={node.children} depth={depth} />
    </LinkView>
  );
}

/** Loading a picture would tell its server who reads it and when, so only a link is shown. */
function PictureView({
  alt,
  address,
}: {
  readonly alt: string;
  readonly address: string | undefined;
}) {
  const { labels } = use(MarkdownContext);
  const text = alt.trim() === '' ? labels.picture : alt;
  if (address === undefined) return <span className="markdown-picture">{text}</span>;
  const shown = new URL(address).host;
  return (
    <LinkView address={address} shown={shown} text={text}>
      <span className="markdown-picture">{text}</span>
    </LinkView>
  );
}

function plainText(node: MdastNode): string {
  if ('children' in node) return node.children.map(plainText).join('');
  return 'value' in node ? node.value : '';
}

interface Props {
  readonly address: string;
  readonly shown: string;
  /** The link's visible text; if it differs from the address, the host is added. */
  readonly text: string;
  readonly children: ReactNode;
}

/** A link that shows its host, and is opened outside the page. */
function LinkView({ address, shown, text, children }: Props) {
  const { openLink } = use(MarkdownContext);
  const open = (event: MouseEvent): void => {
    event.preventDefault();
    if (event.type === 'click' || event.button === 1) openLink(address);
  };
  const showsTarget = text === address || text === shown || `${text}/` === address;
  const bracketed = ` (${shown})`;
  return (
    <a
      href={address}
      title={address}
      rel="noreferrer"
      draggable={false}
      onClick={open}
      onAuxClick={open}
    >
      <bdi>{children}</bdi>
      {!showsTarget && (
        <bdi className="markdown-address" dir="ltr">
          {bracketed}
        </bdi>
      )}
    </a>
  );
}

export function SpokenText({ text, at }: TextSpan) {
  const heard = use(HeardContext);
  const length = heard === undefined ? text.length : heard - at;
  if (length >= text.length) return text;
  if (length <= 0) return <span data-heard="no">{text}</span>;
  return (
    <>
      {text.slice(0, length)}
      <span data-heard="no">{text.slice(length)}</span>
    </>
  );
}
