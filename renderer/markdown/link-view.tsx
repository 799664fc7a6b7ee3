import { use } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { MarkdownContext } from './markdown-context.ts';

interface Props {
  readonly address: string;
  readonly shown: string;
  /** What the link's words say, to see whether they hide where it leads. */
  readonly text: string;
  readonly children: ReactNode;
}

/** A link that says where it leads, and has the host go there instead of the page. */
export function LinkView({ address, shown, text, children }: Props) {
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
