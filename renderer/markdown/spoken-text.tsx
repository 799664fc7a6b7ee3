import { use } from 'react';
import { HeardContext } from './markdown-context.ts';

interface Props {
  readonly text: string;
  readonly at: number;
}

/** Text of which only a part may have been heard yet. */
export function SpokenText({ text, at }: Props) {
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
