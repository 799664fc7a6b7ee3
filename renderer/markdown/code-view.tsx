import { use, useEffect, useState } from 'react';
import { MarkdownContext } from './markdown-context.ts';

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
        <code>{text}</code>
      </pre>
    </figure>
  );
}
