import { use } from 'react';
import { LinkView } from './link-view.tsx';
import type { MarkdownInline } from './nodes.ts';
import { withIndexKeys } from './nodes.ts';
import { SpokenText } from './spoken-text.tsx';
import { MarkdownContext } from './markdown-context.ts';

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
