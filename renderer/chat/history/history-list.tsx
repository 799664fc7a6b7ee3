import { SquarePen } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { ChatKeeping } from './chat-keeping.tsx';
import { HistoryRow } from './history-row.tsx';
import { historyGroups, withFirstRows } from './history-groups.ts';
import { useRowsShown } from './use-rows-shown.ts';

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
      <ChatKeeping />
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
  const { chat } = useActions();
  const list = useUiState(({ chat }) => chat.list);
  const search = useUiState(({ chat }) => chat.search);
  const removed = useUiState(({ removed }) => removed?.keys);
  const groups = historyGroups(
    list.filter(({ id }) => removed?.has(`chat ${id}`) !== true),
    search,
  );
  const { shown, end } = useRowsShown(groups.reduce((sum, { rows }) => sum + rows.length, 0));
  // What has come into the list may be what is looked for.
  useEffect(() => {
    if (list.length > 0) chat.searchAgain();
  }, [chat, list]);
  const none = groups.length === 0 && (search.query.trim() === '' || search.hits !== undefined);
  return (
    <div className="history-rows">
      {withFirstRows(groups, shown).map(({ name, rows }) => (
        <section key={name} aria-label={t(`chat.list.${name}`)}>
          <h2>{t(`chat.list.${name}`)}</h2>
          <ul>
            {rows.map((row) => (
              <HistoryRow key={row.id} row={row} chosen={chosen} />
            ))}
          </ul>
        </section>
      ))}
      {end !== undefined && <div ref={end} className="history-end" />}
      {none && (
        <p className="history-none" role="status">
          {t(search.query.trim() === '' ? 'chat.list.none' : 'chat.list.nothing')}
        </p>
      )}
    </div>
  );
}
