import { createContext, type MouseEvent, type ReactNode, use } from 'react';
import { type MarkdownInline, withIndexKeys } from './markdown-nodes.ts';

/** What a text's elements do and say, handed in by the screen that shows it. */
export interface MarkdownActions {
  /** The host opens the address outside; the page itself goes nowhere. */
  readonly openLink: (address: string) => void;
  readonly copyCode: (text: string) => void;
  readonly labels: {
    readonly copy: string;
    /** For a moment after that. */
    readonly copied: string;
    /** Stands for a picture that is not loaded and has no description. */
    readonly picture: string;
  };
}

export const MarkdownContext = createContext<MarkdownActions>({
  openLink: () => undefined,
  copyCode: () => undefined,
  labels: { copy: '', copied: '', picture: '' },
});

/** How far the text has been heard, in characters; nothing where it is not spoken. */
export const HeardContext = createContext<number | undefined>(undefined);

export function InlinesView({ inlines }: { readonly inlines: readonly MarkdownInline[] }) {
  return withIndexKeys(inlines).map(({ key, item }) => <InlineView key={key} inline={item} />);
}

function InlineView({ inline }: { readonly inline: MarkdownInline }) {
  switch (inline.type) {
    case 'text':
      return <SpokenText text={inline.text} at={inline.at} />;
    case 'strong':
      return (
        <strong>
          <InlinesView inlines={inline.children} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <InlinesView inlines={inline.children} />
        </em>
      );
    case 'deleted':
      return (
        <del>
          <InlinesView inlines={inline.children} />
        </del>
      );
    case 'code':
      return <code dir="ltr">{inline.text}</code>;
    case 'break':
      return <br />;
    case 'link':
      return (
        <LinkView address={inline.address} shown={inline.shown} text={textOf(inline.children)}>
          <InlinesView inlines={inline.children} />
        </LinkView>
      );
    case 'image':
      return <PictureView alt={inline.alt} address={inline.address} />;
  }
}

/** Loading it would tell its server who reads, and when; a link tells only who follows it. */
function PictureView({
  alt,
  address,
}: {
  readonly alt: string;
  readonly address?: string | undefined;
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

function textOf(inlines: readonly MarkdownInline[]): string {
  return inlines
    .map((inline) => {
      if ('children' in inline) return textOf(inline.children);
      return 'text' in inline ? inline.text : '';
    })
    .join('');
}

interface Props {
  readonly address: string;
  readonly shown: string;
  /** What the link's words say, to see whether they hide where it leads. */
  readonly text: string;
  readonly children: ReactNode;
}

/** A link that says where it leads, and has the host go there instead of the page. */
function LinkView({ address, shown, text, children }: Props) {
  const { openLink } = use(MarkdownContext);
  const open = (event: MouseEvent): void => {
    event.preventDefault();
    if (event.type === 'click' || event.button === 1) openLink(address);
  };
  const says = text === address || text === shown || `${text}/` === address;
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
      {!says && (
        <bdi className="markdown-address" dir="ltr">
          {bracketed}
        </bdi>
      )}
    </a>
  );
}

interface SpokenTextProps {
  readonly text: string;
  readonly at: number;
}

/** Text of which only a part may have been heard yet. */
export function SpokenText({ text, at }: SpokenTextProps) {
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
