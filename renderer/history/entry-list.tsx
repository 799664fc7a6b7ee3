import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../app/use-app-context.ts';
import { beginsDay, dayName } from '../i18n/time-text.ts';
import { EntryRow } from './entry-row.tsx';
import { type HistoryEntry, historyKey, type ListedHistory } from './history-ui-state.ts';
import type { RemoveEntries } from './remove-entries.tsx';

interface Props {
  readonly listed: ListedHistory;
  readonly remove: RemoveEntries;
  /** The field from which one comes into the list by an arrow key. */
  readonly ref: Ref<EntryListHandle>;
}

export interface EntryListHandle {
  readonly focusFirst: () => void;
}

/** All of them by day, of which only those in sight are in the page. Arrow keys go from row to row. */
export function EntryList({ listed, remove, ref }: Props) {
  const { t, i18n } = useTranslation();
  const { history } = useActions();
  const { entries, total, query, show } = listed;
  const scroller = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<number>();
  const roll = useVirtualizer({
    count: entries.length,
    getItemKey: useCallback((index: number) => keyOf(entries[index], index), [entries]),
    getScrollElement: () => scroller.current,
    estimateSize: () => 72,
    overscan: 6,
    paddingEnd: 16,
  });
  const rows = roll.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => void history.seen(last), [history, last, entries]);
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [query, show]);
  useEffect(() => {
    if (wanted === undefined) return;
    // It may have to be scrolled to first, and stands there then.
    const row = scroller.current?.querySelector<HTMLElement>(rowButton(wanted));
    if (row === null || row === undefined) return;
    row.focus();
    setWanted(undefined);
  }, [wanted, rows]);
  const goTo = useCallback(
    (index: number): void => {
      // Meanwhile the keys come here: the row that has them may go out of the page.
      scroller.current?.focus();
      roll.scrollToIndex(index);
      setWanted(index);
    },
    [roll],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = wanted ?? rowOf(event.target);
    if (from === undefined) return;
    const entry = entries[from];
    const next = rowWanted(event, from, entries.length);
    if (next !== undefined) goTo(next);
    else if (wanted !== undefined && event.key === 'Enter' && entry !== undefined)
      void history.open(entry);
    else return;
    event.preventDefault();
  };
  useImperativeHandle(
    ref,
    () => ({
      focusFirst: () => {
        goTo(0);
      },
    }),
    [goTo],
  );
  const now = Date.now();
  return (
    <div ref={scroller} className="kept-rows" tabIndex={-1} onKeyDown={onKeyDown}>
      <div
        role="list"
        aria-label={t('history.list')}
        className="kept-roll"
        style={{ height: roll.getTotalSize() }}
      >
        {rows.map(({ index, key, start }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          const { at } = entry.item;
          return (
            <div
              key={key}
              ref={roll.measureElement}
              role="listitem"
              aria-setsize={total}
              aria-posinset={index + 1}
              data-index={index}
              className="kept-place"
              // Not moved by a transform: a menu that floats above it would be cut off at its edge.
              style={{ top: start }}
            >
              {beginsDay(at, entries[index - 1]?.item.at) && (
                <h2>{dayName(at, now, i18n.language, t)}</h2>
              )}
              <EntryRow entry={entry} remove={remove} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function keyOf(entry: HistoryEntry | undefined, index: number): string | number {
  return entry === undefined ? index : historyKey(entry.item);
}

interface Stroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** So many rows make a page. */
const pageOfRows = 8;

/** What has the keys in a row, by its place in the list. */
function rowButton(index: number): string {
  return `[data-index="${index}"] .kept-open`;
}

/** To which row a key leads from that one; nothing where it is none of these keys. */
function rowWanted(
  { key, ctrlKey, metaKey, altKey }: Stroke,
  from: number,
  count: number,
): number | undefined {
  if (ctrlKey || metaKey || altKey || count === 0) return undefined;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + pageOfRows,
    PageUp: from - pageOfRows,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.min(count - 1, Math.max(0, next));
}

/** The row whose button has the keyboard; a menu and a field in a row have keys of their own. */
function rowOf(target: EventTarget): number | undefined {
  if (!(target instanceof Element) || !target.matches('.kept-open')) return undefined;
  const row = target.closest<HTMLElement>('[data-index]');
  return row === null ? undefined : Number(row.dataset['index']);
}
