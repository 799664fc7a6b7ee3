import { useTranslation } from 'react-i18next';
import type { MemorySource } from '../../shared/memory/memory-view.ts';
import { useActions } from '../app/use-app-context.ts';

/** Names where a sentence comes from, and opens that talk or chat. */
export function SourceLink({
  source: { kind, id, title, when },
}: {
  readonly source: MemorySource;
}) {
  const { t, i18n } = useTranslation();
  const { history } = useActions();
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' }).format(when);
  const name = title === undefined || title === '' ? t('memory.sources.untitled') : title;
  const text = t('memory.from', {
    source: t(`memory.sources.${kind}`, { title: name }),
    date,
  });
  if (kind === 'person' || id === undefined) {
    return (
      <span className="row-hint" dir="auto">
        {text}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="memory-source row-hint"
      dir="auto"
      onClick={() => history.openPast({ kind, id })}
    >
      {text}
    </button>
  );
}
