import { useVirtualizer } from '@tanstack/react-virtual';
import {
  CassetteTape,
  Download,
  FolderOpen,
  ListChecks,
  MessageSquareText,
  Mic,
  Pin,
  Video,
} from 'lucide-react';
import {
  type KeyboardEvent,
  memo,
  type Ref,
  type UIEvent,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import {
  type FoundPlace,
  type HistoryItem,
  historyKey,
} from '../../shared/recordings/history-item.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { TitleField } from '../design/edit-in-place.tsx';
import { MenuItem } from '../design/layers.tsx';
import { EntryFrame, EntryMenu } from '../design/row.tsx';
import { startsNewDay, formatDay, formatTime, formatDuration } from '../i18n/format.ts';
import { entryTitle, isTapeOnly } from './history-text.ts';
import type { HistoryEntry, ListedHistory } from './history-ui-state.ts';
import { type RemoveEntries, RemoveItems } from './remove-entries.tsx';

interface Props {
  readonly listed: ListedHistory;
  readonly onRemove: RemoveEntries;
  /** Lets the search field move the focus into the list. */
  readonly ref: Ref<EntryListHandle>;
}

export interface EntryListHandle {
  readonly focusFirst: () => void;
}

/** All entries by day, virtualized. Arrow keys move between rows. */
export function EntryList({ listed, onRemove, ref }: Props) {
  const { t, i18n } = useTranslation();
  const { history } = useActions();
  const { entries, total, query, show } = listed;
  const scroller = useRef<HTMLDivElement>(null);
  const [targetRow, setTargetRow] = useState<number>();
  const virtualizer = useVirtualizer({
    count: entries.length,
    getItemKey: useCallback((index: number) => itemKey(entries[index], index), [entries]),
    getScrollElement: () => scroller.current,
    estimateSize: () => 72,
    overscan: 6,
    paddingEnd: 16,
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => void history.loadAhead(last), [history, last, entries]);
  useLayoutEffect(() => {
    virtualizer.scrollToIndex(history.placeIn({ query, show }), { align: 'start' });
  }, [virtualizer, history, query, show]);
  const onScroll = ({ currentTarget: { scrollTop } }: UIEvent): void => {
    const first = virtualizer.getVirtualItemForOffset(scrollTop);
    if (first !== undefined) history.keepPlace({ query, show, row: first.index });
  };
  useEffect(() => {
    if (targetRow === undefined) return;
    // If the row is not rendered yet, this effect runs again after the list has scrolled to it.
    const row = scroller.current?.querySelector<HTMLElement>(rowButtonSelector(targetRow));
    if (row === null || row === undefined) return;
    row.focus();
    setTargetRow(undefined);
  }, [targetRow, rows]);
  const goTo = useCallback(
    (index: number): void => {
      // The scroller takes the focus meanwhile, because the focused row may be unmounted.
      scroller.current?.focus();
      virtualizer.scrollToIndex(index);
      setTargetRow(index);
    },
    [virtualizer],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = targetRow ?? focusedRow(event.target);
    if (from === undefined) return;
    const entry = entries[from];
    const next = rowForKey(event, from, entries.length);
    if (next !== undefined) goTo(next);
    else if (targetRow !== undefined && event.key === 'Enter' && entry !== undefined)
      void history.open(entry);
    else return;
    event.preventDefault();
  };
  useImperativeHandle(ref, () => ({ focusFirst: () => goTo(0) }), [goTo]);
  const now = Date.now();
  return (
    <div
      ref={scroller}
      className="history-rows scroll-area"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
    >
      <div
        role="list"
        aria-label={t('history.list')}
        className="history-content"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {rows.map(({ index, key, start }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          const { at } = entry.item;
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              role="listitem"
              aria-setsize={total}
              aria-posinset={index + 1}
              data-index={index}
              className="history-slot"
              // Positioned by `top`: a transform would clip a menu that floats above the list.
              style={{ top: start }}
            >
              {startsNewDay(at, entries[index - 1]?.item.at) && (
                <h2 className="entry-group hint">{formatDay(at, now, i18n.language, t)}</h2>
              )}
              <EntryRow entry={entry} onRemove={onRemove} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function itemKey(entry: HistoryEntry | undefined, index: number): string | number {
  return entry === undefined ? index : historyKey(entry.item);
}

interface KeyStroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const rowsPerPage = 8;

function rowButtonSelector(index: number): string {
  return `[data-index="${index}"] .history-open`;
}

function rowForKey(
  { key, ctrlKey, metaKey, altKey }: KeyStroke,
  from: number,
  count: number,
): number | undefined {
  if (ctrlKey || metaKey || altKey || count === 0) return undefined;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + rowsPerPage,
    PageUp: from - rowsPerPage,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.min(count - 1, Math.max(0, next));
}

/** The row whose button has the focus. Menus and text fields inside a row handle their own keys. */
function focusedRow(target: EventTarget): number | undefined {
  if (!(target instanceof Element) || !target.matches('.history-open')) return undefined;
  const row = target.closest<HTMLElement>('[data-index]');
  return row === null ? undefined : Number(row.dataset['index']);
}

interface EntryRowProps {
  readonly entry: HistoryEntry;
  readonly onRemove: RemoveEntries;
}

const EntryRow = memo(function EntryRow({ entry, onRemove }: EntryRowProps) {
  const { t } = useTranslation();
  const { history } = useActions();
  const { item } = entry;
  const key = historyKey(item);
  const isOpen = useUiState(({ history: { opened } }) => `talk ${opened?.id}` === key);
  const chosen = useUiState(({ history }) => history.selection?.has(key));
  const [isRenaming, setRenaming] = useState(false);
  if (isRenaming)
    return (
      <TitleField
        label={t('history.newName')}
        title={entryTitle(item, t)}
        onRename={(title) => void history.rename(item, title)}
        onEnd={() => setRenaming(false)}
      />
    );
  return (
    <EntryFrame>
      <button
        type="button"
        className="history-open"
        aria-current={isOpen ? 'true' : undefined}
        role={chosen === undefined ? undefined : 'checkbox'}
        aria-checked={chosen}
        onClick={() => {
          if (chosen === undefined) void history.open(entry);
          else history.toggle(item);
        }}
        onKeyDown={({ key }) => {
          if (chosen !== undefined) return;
          if (key === 'F2') setRenaming(true);
          if (key === 'Delete') onRemove([item], 'delete');
        }}
      >
        {chosen !== undefined && <span className="history-checkbox" aria-hidden />}
        <EntryText entry={entry} />
      </button>
      {chosen === undefined && (
        <HistoryEntryMenu
          item={item}
          onRename={() => setRenaming(true)}
          onRemove={(recordings) => onRemove([item], recordings)}
        />
      )}
    </EntryFrame>
  );
});

const icons = { audio: Mic, video: Video, chat: MessageSquareText } as const;

function EntryText({ entry: { item, place } }: { readonly entry: HistoryEntry }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const kind = item.kind === 'talk' ? item.mode : 'chat';
  const Icon = icons[kind];
  return (
    <span className="history-text">
      <span className="history-title">
        <span dir="auto">{entryTitle(item, t)}</span>
        {item.pinned && (
          <>
            <Pin aria-hidden />
            <span className="visually-hidden">{t('history.pinned')}</span>
          </>
        )}
      </span>
      <span className="history-meta hint">
        <Icon aria-hidden />
        <span className="visually-hidden">{t(`history.kinds.${kind}`)}</span>
        <span>{formatTime(item.at, language)}</span>
        {item.kind === 'talk' && <span>{formatDuration(item.seconds, language)}</span>}
        {item.kind === 'talk' && item.ending !== 'orderly' && (
          <span className="history-ending" data-ending={item.ending}>
            {t(`history.endings.${item.ending}`)}
          </span>
        )}
        {item.kind === 'talk' && item.tape && (
          <>
            <CassetteTape aria-hidden />
            <span className="visually-hidden">{t('history.tape')}</span>
          </>
        )}
      </span>
      {place !== undefined && place.excerpt !== '' && (
        <span className="history-excerpt clamped hint" dir="auto">
          <MarkedText {...place} />
        </span>
      )}
    </span>
  );
}

function MarkedText({ excerpt, marks }: Pick<FoundPlace, 'excerpt' | 'marks'>) {
  const pieces = marks.map(({ from, to }, index) => ({
    before: excerpt.slice(marks[index - 1]?.to ?? 0, from),
    marked: excerpt.slice(from, to),
    at: from,
  }));
  return (
    <>
      {pieces.map(({ before, marked, at }) => (
        <span key={at}>
          {before}
          <mark>{marked}</mark>
        </span>
      ))}
      {excerpt.slice(marks.at(-1)?.to ?? 0)}
    </>
  );
}

interface HistoryEntryMenuProps {
  readonly item: HistoryItem;
  readonly onRename: () => void;
  readonly onRemove: (recordings: 'delete' | 'keep') => void;
}

function HistoryEntryMenu({ item, onRename, onRemove }: HistoryEntryMenuProps) {
  const { t } = useTranslation();
  const { history, exporting } = useActions();
  const title = entryTitle(item, t);
  const isRunning = item.kind === 'talk' && item.ending === 'running';
  return (
    <EntryMenu
      label={t('history.more', { title })}
      pinned={item.pinned}
      onRename={onRename}
      onPin={(pinned) => void history.pin(item, pinned)}
    >
      <MenuItem icon={ListChecks} onSelect={() => history.choose([item])}>
        {t('history.actions.choose')}
      </MenuItem>
      {!isRunning && (
        <MenuItem
          icon={Download}
          onSelect={() => void exporting.open({ kind: item.kind, id: item.id }, title)}
        >
          {t('export.action')}
        </MenuItem>
      )}
      <MenuItem icon={FolderOpen} onSelect={() => void history.showFolder(item)}>
        {t('buttons.folder')}
      </MenuItem>
      <RemoveItems
        taped={item.kind === 'talk' && item.tape && !isTapeOnly(item)}
        onRemove={onRemove}
      />
    </EntryMenu>
  );
}
