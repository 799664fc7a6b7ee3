import { memo, use, useEffect, useState } from 'react';
import { InlinesView, MarkdownContext, SpokenText } from './inline-views.tsx';
import {
  type MarkdownBlock,
  type MarkdownTableCell,
  type MarkdownTableRow,
  withIndexKeys,
} from './markdown-nodes.ts';

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

interface CodeViewProps {
  readonly language: string;
  readonly text: string;
}

/** A block of code, written from left to right whatever is around it. */
function CodeView({ language, text }: CodeViewProps) {
  const { copyCode, labels } = use(MarkdownContext);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => {
      setCopied(false);
    }, 2000);
    return () => {
      clearTimeout(timer);
    };
  }, [copied]);
  const parts = codePartsOf(text);
  return (
    <figure className="markdown-code" dir="ltr">
      <figcaption>
        <span>{language}</span>
        <button
          type="button"
          onClick={() => {
            copyCode(text);
            setCopied(true);
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

/** Laid out by themselves: in a long block of code that is being written only the last of them changes. */
const CodePart = memo(({ text }: { readonly text: string }) => (
  <span className="markdown-code-part">{text}</span>
));
CodePart.displayName = 'CodePart';

const maxPartLetters = 4000;

/** The code between some of its line ends; the parts stand below each other, as its lines do. */
function codePartsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > maxPartLetters) {
    const end = text.indexOf('\n', from + maxPartLetters);
    if (end === -1) break;
    parts.push(text.slice(from, end));
    from = end + 1;
  }
  return [...parts, text.slice(from)];
}

interface TableViewProps {
  readonly head: readonly MarkdownTableCell[];
  readonly rows: readonly MarkdownTableRow[];
}

/** A table that scrolls by itself where it is too wide, also by keyboard. */
function TableView({ head, rows }: TableViewProps) {
  return (
    <div className="markdown-table" role="group" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {withIndexKeys(head).map(({ key, item: { align, children } }) => (
              <th key={key} scope="col" dir="auto" data-align={align}>
                <InlinesView inlines={children} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {withIndexKeys(rows).map(({ key, item }) => (
            <tr key={key}>
              {withIndexKeys(item).map(({ key, item: { align, children } }) => (
                <td key={key} dir="auto" data-align={align}>
                  <InlinesView inlines={children} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
