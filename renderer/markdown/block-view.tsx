import { CodeView } from './code-view.tsx';
import { InlinesView } from './inlines-view.tsx';
import { SpokenText } from './spoken-text.tsx';
import { TableView } from './table-view.tsx';
import { withIndexKeys } from './nodes.ts';
import type { MarkdownBlock } from './nodes.ts';

interface Props {
  readonly block: MarkdownBlock;
}

const headings = ['h3', 'h4', 'h5', 'h6'] as const;

/** One block; every part of it finds its own direction of writing. */
export function BlockView({ block }: Props) {
  switch (block.type) {
    case 'paragraph':
      return (
        <p dir="auto">
          <InlinesView inlines={block.children} />
        </p>
      );
    case 'heading': {
      // A turn stands below the headings of the screen.
      const Heading = headings[block.level - 1] ?? 'h6';
      return (
        <Heading dir="auto">
          <InlinesView inlines={block.children} />
        </Heading>
      );
    }
    case 'quote':
      return (
        <blockquote dir="auto">
          <BlocksView blocks={block.children} />
        </blockquote>
      );
    case 'list':
      return <ListView list={block} />;
    case 'code':
      return <CodeView language={block.language} text={block.text} />;
    case 'table':
      return <TableView head={block.head} rows={block.rows} />;
    case 'rule':
      return <hr />;
    case 'plain':
      return (
        <p dir="auto" className="markdown-plain">
          <SpokenText text={block.text} at={block.at} />
        </p>
      );
  }
}

function BlocksView({ blocks }: { readonly blocks: readonly MarkdownBlock[] }) {
  return withIndexKeys(blocks).map(({ key, item }) => <BlockView key={key} block={item} />);
}

/** As a part of a list is that goes on after it. */
const longList = 60;

function ListView({ list }: { readonly list: Extract<MarkdownBlock, { type: 'list' }> }) {
  const items = withIndexKeys(list.items).map(({ key, item: { checked, children } }) => (
    <li key={key} dir="auto" data-task={checked !== undefined || undefined}>
      {checked !== undefined && <input type="checkbox" checked={checked} disabled readOnly />}
      <BlocksView blocks={children} />
    </li>
  ));
  const long = items.length >= longList || undefined;
  return list.start === undefined ? (
    <ul data-long={long}>{items}</ul>
  ) : (
    <ol start={list.start} data-long={long}>
      {items}
    </ol>
  );
}
