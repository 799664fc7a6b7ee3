import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNarrowerThan } from '../shell/use-narrower-than.ts';
import { historyKey } from '../store/history/history-ui-state.ts';
import type { ListedHistory } from '../store/history/history-ui-state.ts';
import { useUiState } from '../store/use-app-context.ts';
import { EntryList } from './list/entry-list.tsx';
import type { EntryListHandle } from './list/entry-list.tsx';
import { ChosenBar } from './list/chosen-bar.tsx';
import { HistoryEmpty } from './history-empty.tsx';
import { HistoryFoot } from './history-foot.tsx';
import { HistoryHead } from './history-head.tsx';
import { HistoryNotes } from './history-notes.tsx';
import './history-screen.css';
import './list/entry-list.css';
import './talk-page/talk-page.css';
import { TalkPage } from './talk-page/talk-page.tsx';
import { useRemoveEntries } from './list/use-remove-entries.ts';
import type { RemoveEntries } from './list/use-remove-entries.ts';
import { useHistoryKeys } from './list/use-history-keys.ts';
import { useHistoryUpdates } from './use-history-updates.ts';

/** In rem; below this a talk has no room beside the list. The style sheet has the same number. */
const besideWidth = 52;

/** What was: talks and written conversations by day, and a talk to be read again. */
export function HistoryScreen() {
  const { t } = useTranslation();
  const narrow = useNarrowerThan(besideWidth);
  // What the list does not have is not what it is about.
  const opened = useUiState(({ history }) =>
    history.show === 'chat' ? undefined : history.opened?.id,
  );
  const remove = useRemoveEntries();
  useHistoryUpdates();
  return (
    <main className="kept" aria-label={t('history.title')}>
      <h1 className="only-heard">{t('history.title')}</h1>
      {!(narrow && opened !== undefined) && <Side remove={remove} />}
      {opened !== undefined && (
        <TalkPage
          key={opened}
          narrow={narrow}
          remove={(recordings) => {
            remove([{ kind: 'talk', id: opened }], recordings);
          }}
        />
      )}
      {opened === undefined && !narrow && <NothingOpened />}
    </main>
  );
}

function Side({ remove }: { readonly remove: RemoveEntries }) {
  const { t } = useTranslation();
  const listed = useListed();
  const choosing = useUiState(({ history }) => history.chosen !== undefined);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<EntryListHandle>(null);
  useHistoryKeys(field);
  return (
    <section className="kept-side" aria-label={t('history.list')}>
      <HistoryHead
        field={field}
        intoList={() => {
          list.current?.focusFirst();
        }}
      />
      <HistoryNotes />
      {listed !== undefined && listed.entries.length > 0 ? (
        <EntryList ref={list} listed={listed} remove={remove} />
      ) : (
        <HistoryEmpty />
      )}
      {choosing ? <ChosenBar remove={remove} /> : <HistoryFoot />}
    </section>
  );
}

/** Without what was deleted a moment ago. */
function useListed(): ListedHistory | undefined {
  const listed = useUiState(({ history }) => history.listed);
  const removed = useUiState(({ removed }) => removed?.keys);
  return useMemo(() => {
    if (listed === undefined || removed === undefined) return listed;
    const entries = listed.entries.filter(({ item }) => !removed.has(historyKey(item)));
    return { ...listed, entries, total: listed.total - listed.entries.length + entries.length };
  }, [listed, removed]);
}

function NothingOpened() {
  const { t } = useTranslation();
  const some = useUiState(({ history: { listed } }) => (listed?.total ?? 0) > 0);
  return <div className="kept-none">{some && <p>{t('history.choose')}</p>}</div>;
}
