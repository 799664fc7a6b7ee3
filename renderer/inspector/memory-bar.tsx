import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { memoryParts } from '../../shared/talk/context-spent.ts';
import type { GraphFeed, MemoryUse } from './graph-feed.ts';

/** On what the model's memory was spent, as one bar, and in words. */
export function MemoryBar({ feed }: { readonly feed: GraphFeed }) {
  const { t, i18n } = useTranslation();
  const memory = useSyncExternalStore(feed.subscribe, () => feed.memory);
  const written = (tokens: number): string =>
    new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 }).format(tokens);
  const shown = (part: (typeof memoryParts)[number]): string => {
    if (memory === undefined) return '';
    const tokens = written(memory.spent[part]);
    return memory.estimated.includes(part) ? t('inspector.estimated', { tokens }) : tokens;
  };
  return (
    <figure className="graph memory">
      <figcaption>
        <span className="graph-name">{t('inspector.memory')}</span>
        <span className="graph-lines">
          {memoryParts.map((part) => (
            <span key={part} className="graph-line" data-part={part}>
              {t(`inspector.memoryParts.${part}`)} {shown(part)}
            </span>
          ))}
          {memory?.left !== undefined && (
            <span className="graph-line" data-part="left">
              {t('inspector.memoryParts.left')} {written(memory.left)}
            </span>
          )}
        </span>
      </figcaption>
      <div className="memory-bar" aria-hidden>
        {memory !== undefined &&
          memoryParts.map((part) => (
            <span key={part} data-part={part} style={{ width: `${shareOf(memory, part)}%` }} />
          ))}
      </div>
    </figure>
  );
}

/** How much speech the server has received since its last answer: it shows a server that only listens. */
export function Unanswered({ feed }: { readonly feed: GraphFeed }) {
  const { t, i18n } = useTranslation();
  const unanswered = useSyncExternalStore(feed.subscribe, () => feed.unanswered);
  const { spokenSeconds = 0, steps = 0 } = unanswered ?? {};
  const seconds = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 });
  return (
    <p className="unanswered">
      <span className="graph-name">{t('inspector.unanswered')}</span>{' '}
      {t('inspector.unansweredParts', { seconds: seconds.format(spokenSeconds), steps })}
    </p>
  );
}

/** Percent; of what was spent alone where nobody knows how much there is. */
function shareOf({ spent, left = 0 }: MemoryUse, part: (typeof memoryParts)[number]): number {
  const all = spent.pictures + spent.sound + spent.words + left;
  return all === 0 ? 0 : (100 * spent[part]) / all;
}
