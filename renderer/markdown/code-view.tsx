import { use } from 'react';
import { ViewContext } from './view-context.ts';

interface Props {
  readonly language: string;
  readonly text: string;
}

/** A block of code, written from left to right whatever is around it. */
export function CodeView({ language, text }: Props) {
  const { copyCode, words } = use(ViewContext);
  return (
    <figure className="markdown-code" dir="ltr">
      <figcaption>
        <span>{language}</span>
        <button
          type="button"
          onClick={() => {
            copyCode(text);
          }}
        >
          {words.copy}
        </button>
      </figcaption>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
