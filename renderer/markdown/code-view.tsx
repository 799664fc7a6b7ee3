import { memo, use, useEffect, useState } from 'react';
import { MarkdownContext } from './markdown-context.ts';
import { withIndexKeys } from './nodes.ts';

interface Props {
  readonly language: string;
  readonly text: string;
}

/** A block of code, written from left to right whatever is around it. */
export function CodeView({ language, text }: Props) {
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
