import { Markdown } from '../markdown/markdown.tsx';
import type { MarkdownActions } from '../markdown/markdown-context.ts';
import type { GuideSection } from './read-guide.ts';

interface Props {
  readonly section: GuideSection;
  readonly addresses: ReadonlyMap<string, string | undefined>;
  readonly actions: MarkdownActions;
  /** Where words were looked for, they are what one wants to see. */
  readonly pictures: boolean;
  readonly id: string;
}

/** One part of the guide, with its pictures. */
export function GuideSectionView({ section, addresses, actions, pictures, id }: Props) {
  return (
    <section aria-labelledby={id}>
      <h3 id={id} tabIndex={-1}>
        {section.title}
      </h3>
      {section.parts.map((part) =>
        part.kind === 'text' ? (
          <Markdown key={part.text} text={part.text} actions={actions} />
        ) : (
          pictures && (
            <img
              key={part.file}
              className="guide-picture"
              src={addresses.get(part.file)}
              alt={part.alt}
              loading="lazy"
            />
          )
        ),
      )}
    </section>
  );
}
