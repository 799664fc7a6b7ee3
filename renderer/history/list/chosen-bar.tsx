import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { historyKey } from '../../store/history/history-ui-state.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import type { RemoveEntries } from './use-remove-entries.ts';

interface Props {
  readonly remove: RemoveEntries;
}

/** What is done with several at once. */
export function ChosenBar({ remove }: Props) {
  const { t } = useTranslation();
  const { history } = useActions();
  const chosen = useUiState(({ history }) => history.chosen);
  const entries = useUiState(({ history }) => history.listed?.entries);
  // One that has gone meanwhile is not chosen any more.
  const items = entries?.map(({ item }) => item) ?? [];
  const refs = items.filter((item) => chosen?.has(historyKey(item)) === true);
  return (
    <section className="kept-chosen" aria-label={t('history.choosing.name')}>
      <p role="status">{t('history.choosing.count', { count: refs.length })}</p>
      <Button kind="quiet" onClick={() => void history.chooseAll()}>
        {t('history.choosing.all')}
      </Button>
      <Button
        kind="danger"
        disabled={refs.length === 0}
        onClick={() => {
          remove(refs, 'too');
        }}
      >
        {t('history.choosing.remove')}
      </Button>
      <Button
        onClick={() => {
          history.choose(undefined);
        }}
      >
        {t('history.choosing.done')}
      </Button>
    </section>
  );
}
