import { SquarePen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { HistoryRow } from './history-row.tsx';
import { historyGroups } from './history-groups.ts';

interface Props {
  /** Something was opened or begun, so that the list may go where it covers the rest. */
  readonly chosen?: (() => void) | undefined;
}

/** All conversations: those that are pinned, then the newest. */
export function HistoryList({ chosen }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  return (
    <div className="history">
      <Button
        icon={<SquarePen aria-hidden />}
        onClick={() => {
          void chat.begin();
          chosen?.();
        }}
      >
        {t('chat.list.begin')}
      </Button>
      <Find />
      <Rows chosen={chosen} />
      <NotStored />
    </div>
  );
}

function Find() {
  const { t } = useTranslation();
  const { chat } = useActions();
  const query = useUiState(({ chat }) => chat.search.query);
  return (
    <SearchField
      label={t('chat.list.find')}
      clearLabel={t('chat.list.clear')}
      query={query}
      search={chat.search}
    />
  );
}

function Rows({ chosen }: Pick<Props, 'chosen'>) {
  const { t } = useTranslation();
  const list = useUiState(({ chat }) => chat.list);
  const search = useUiState(({ chat }) => chat.search);
  const groups = historyGroups(list, search);
  const none = groups.length === 0 && (search.query.trim() === '' || search.hits !== undefined);
  return (
    <div className="history-rows">
      {groups.map(({ name, rows }) => (
        <section key={name} aria-label={t(`chat.list.${name}`)}>
          <h2>{t(`chat.list.${name}`)}</h2>
          <ul>
            {rows.map((row) => (
              <HistoryRow key={row.id} row={row} chosen={chosen} />
            ))}
          </ul>
        </section>
      ))}
      {none && (
        <p className="history-none" role="status">
          {t(search.query.trim() === '' ? 'chat.list.none' : 'chat.list.nothing')}
        </p>
      )}
    </div>
  );
}

function NotStored() {
  const { t } = useTranslation();
  const { changeSettings } = useActions();
  const kept = useUiState(({ settings }) => settings?.privacy.keepChats);
  if (kept !== false) return null;
  return (
    <div className="history-not-kept">
      <p>{t('chat.list.notKept')}</p>
      <Button kind="quiet" onClick={() => void changeSettings({ privacy: { keepChats: true } })}>
        {t('chat.list.keep')}
      </Button>
    </div>
  );
}
