import { FolderOpen, ListChecks, Settings2, SlidersHorizontal } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useUiState } from '../app/app-context.ts';
import { useNarrowerThan } from '../app/use-appearance.ts';
import {
  Button,
  focusIfLost,
  Note,
  passFocusOn,
  PlainIconButton,
  SearchField,
} from '../design/controls.tsx';
import { isSendKey } from '../design/edit-in-place.tsx';
import { Picker, Menu, MenuItem } from '../design/layers.tsx';
import { errorText, formatBytes } from '../i18n/format.ts';
import { isWriting, overlaySelector, useWindowKeydown } from '../keys/window-keys.ts';
import { ExamplesMenu } from '../replay/examples-menu.tsx';
import { EntryList, type EntryListHandle } from './entry-list.tsx';
import type { ListedHistory } from './history-ui-state.ts';
import { type RemoveEntries, useRemoveEntries } from './remove-entries.tsx';
import { TalkPage } from './talk-page.tsx';
import { useHistoryChanges } from './use-history-changes.ts';
import './history-screen.css';
import './entry-list.css';
import './talk-page.css';
import { historyKey } from '../../shared/recordings/history-item.ts';

/** In rem; below this the talk replaces the list. Same width as in history-screen.css. */
const minSplitWidth = 52;

export function HistoryScreen() {
  const { t } = useTranslation();
  const narrow = useNarrowerThan(minSplitWidth);
  // An open talk is hidden while only chats are listed.
  const opened = useUiState(({ history }) =>
    history.show === 'chat' ? undefined : history.opened?.id,
  );
  const remove = useRemoveEntries();
  useHistoryChanges(useActions().history.refresh);
  return (
    <main className="history" aria-label={t('places.history')}>
      <h1 className="visually-hidden">{t('places.history')}</h1>
      {!(narrow && opened !== undefined) && <HistorySidebar onRemove={remove} />}
      {opened !== undefined && (
        <TalkPage
          key={opened}
          narrow={narrow}
          onRemove={(recordings) => remove([{ kind: 'talk', id: opened }], recordings)}
        />
      )}
      {opened === undefined && !narrow && <NoTalkOpen />}
    </main>
  );
}

function HistorySidebar({ onRemove }: { readonly onRemove: RemoveEntries }) {
  const { t } = useTranslation();
  const listed = useListed();
  const choosing = useUiState(({ history }) => history.selection !== undefined);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<EntryListHandle>(null);
  useHistoryKeys(field);
  return (
    <section className="history-side" aria-label={t('history.list')}>
      <HistoryHead field={field} onEnterList={() => list.current?.focusFirst()} />
      <HistoryNotes />
      {listed !== undefined && listed.entries.length > 0 ? (
        <EntryList ref={list} listed={listed} onRemove={onRemove} />
      ) : (
        <HistoryEmpty />
      )}
      {choosing ? <SelectionBar onRemove={onRemove} /> : <HistoryFoot />}
    </section>
  );
}

/** Hides entries whose removal can still be undone. */
function useListed(): ListedHistory | undefined {
  const listed = useUiState(({ history }) => history.listed);
  const removed = useUiState(({ removed }) => removed?.keys);
  return useMemo(() => {
    if (listed === undefined || removed === undefined) return listed;
    const entries = listed.entries.filter(({ item }) => !removed.has(historyKey(item)));
    return { ...listed, entries, total: listed.total - listed.entries.length + entries.length };
  }, [listed, removed]);
}

function NoTalkOpen() {
  const { t } = useTranslation();
  const hasEntries = useUiState(({ history: { listed } }) => (listed?.total ?? 0) > 0);
  return <div className="history-no-talk">{hasEntries && <p>{t('history.choose')}</p>}</div>;
}

function HistoryEmpty() {
  const { t } = useTranslation();
  const { openSettings } = useActions();
  const listed = useUiState(({ history }) => history.listed);
  const keepTalks = useUiState(({ settings }) => settings?.privacy.keepTalks ?? 'ask');
  if (listed === undefined || !listed.complete) return <div className="history-empty" aria-busy />;
  if (listed.query.trim() !== '' || listed.show !== 'all')
    return (
      <p className="history-empty" role="status">
        {t(listed.query.trim() === '' ? 'history.empty.kind' : 'history.empty.found')}
      </p>
    );
  return (
    <div className="history-empty">
      <h2>{t('history.empty.title')}</h2>
      <p>{t(`history.empty.${keepTalks}`)}</p>
      <Button onClick={() => openSettings('privacy')}>{t('history.privacy')}</Button>
      <ExamplesMenu />
    </div>
  );
}

function HistoryNotes() {
  const { t } = useTranslation();
  const { history } = useActions();
  const problem = useUiState(({ history }) => history.problem);
  const folder = useUiState(({ history }) => history.folder);
  const errorMessage = problem === undefined ? undefined : errorText(t, problem);
  const note =
    errorMessage ?? (folder === undefined ? undefined : t('export.folderAt', { path: folder }));
  return (
    <div className="history-notes" role="status">
      {note !== undefined && (
        <Note kind={problem === undefined ? 'plain' : 'bad'} onDismiss={history.dismiss}>
          {note}
        </Note>
      )}
    </div>
  );
}

function SelectionBar({ onRemove }: { readonly onRemove: RemoveEntries }) {
  const { t } = useTranslation();
  const { history } = useActions();
  const chosen = useUiState(({ history }) => history.selection);
  const entries = useUiState(({ history }) => history.listed?.entries);
  // Entries that disappeared meanwhile are no longer selected.
  const items = entries?.map(({ item }) => item) ?? [];
  const refs = items.filter((item) => chosen?.has(historyKey(item)) === true);
  // The menu of a row, in which the user began to select, is gone.
  useEffect(() => focusIfLost('.history-selection'), []);
  return (
    <section
      ref={passFocusOn}
      className="history-selection"
      aria-label={t('history.choosing.name')}
    >
      <p role="status">{t('history.choosing.count', { count: refs.length })}</p>
      <Button kind="quiet" onClick={() => void history.chooseAll()}>
        {t('history.choosing.all')}
      </Button>
      <Button kind="danger" disabled={refs.length === 0} onClick={() => onRemove(refs, 'delete')}>
        {t('buttons.delete')}
      </Button>
      <Button onClick={() => history.choose(undefined)}>{t('buttons.done')}</Button>
    </section>
  );
}

function HistoryFoot() {
  const { t } = useTranslation();
  const sizes = useUiState(({ history }) => history.sizes);
  const kinds = sizes.filter(({ count }) => count > 0);
  if (kinds.length === 0) return null;
  const bytes = kinds.reduce((sum, each) => sum + each.bytes, 0);
  return (
    <details className="history-foot hint">
      <summary>{t('history.allKept', { size: formatBytes(bytes) })}</summary>
      <ul>
        {kinds.map(({ kind, count, bytes, place }) => (
          <li key={kind}>
            {t('history.kept', {
              kind: t(`history.keptKinds.${kind}`),
              count,
              size: formatBytes(bytes),
            })}
            <code dir="ltr">{place}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface HistoryHeadProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onEnterList: () => void;
}

function HistoryHead({ field, onEnterList }: HistoryHeadProps) {
  const { t } = useTranslation();
  const { history } = useActions();
  const query = useUiState(({ history }) => history.query);
  const show = useUiState(({ history }) => history.show);
  return (
    <div className="history-head">
      <SearchField
        field={field}
        label={t('history.find')}
        clearLabel={t('shell.clearSearch')}
        keyShortcuts="Control+F /"
        query={query}
        onSearch={history.search}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && !isSendKey(event)) return;
          event.preventDefault();
          onEnterList();
        }}
      />
      <div className="history-tools">
        <Picker
          label={t('history.show')}
          value={show}
          choices={t('history.shows', { returnObjects: true })}
          onChoose={history.setShow}
        />
        <ResultCount />
        <HistoryOptions />
      </div>
    </div>
  );
}

function ResultCount() {
  const { t } = useTranslation();
  const listed = useListed();
  const count = listed?.total ?? 0;
  // Without entries, the list says that there are no results.
  const showsCount =
    listed !== undefined && listed.query.trim() !== '' && listed.entries.length > 0;
  return (
    <p className="history-count hint" role="status">
      {listed?.complete === false
        ? t('history.reading')
        : showsCount
          ? t('history.found', { count })
          : ''}
    </p>
  );
}

function HistoryOptions() {
  const { t } = useTranslation();
  const { history, openSettings } = useActions();
  return (
    <Menu
      trigger={
        <PlainIconButton icon={SlidersHorizontal} strokeWidth={2} label={t('history.options')} />
      }
    >
      <MenuItem icon={ListChecks} onSelect={() => history.choose([])}>
        {t('history.actions.choose')}
      </MenuItem>
      <MenuItem icon={FolderOpen} onSelect={() => void history.showFolder()}>
        {t('history.allFolder')}
      </MenuItem>
      <MenuItem icon={Settings2} onSelect={() => openSettings('privacy')}>
        {t('history.privacy')}
      </MenuItem>
    </Menu>
  );
}

function useHistoryKeys(field: RefObject<HTMLInputElement | null>): void {
  useWindowKeydown((event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (event.defaultPrevented || event.isComposing || altKey) return;
    const isFindKey = (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === 'f';
    const isSlash = key === '/' && !ctrlKey && !metaKey && !isWriting(event);
    if (!isFindKey && !isSlash) return;
    if (document.querySelector(overlaySelector) !== null) return;
    event.preventDefault();
    field.current?.focus();
    field.current?.select();
  });
}
