import { Download, SquarePen, Trash2 } from 'lucide-react';
import { memo, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatSearchHit, ChatSummary } from '../../shared/chat/chat-thread.ts';
import type { PrivacySettings } from '../../shared/settings/app-settings.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { Button, passFocusOn, SearchField } from '../design/controls.tsx';
import { TitleField } from '../design/edit-in-place.tsx';
import { MenuItem } from '../design/layers.tsx';
import { EntryMenu } from '../design/row.tsx';
import { dateFormat, formatTime } from '../i18n/format.ts';
import type { ChatSearch } from './chat-ui-state.ts';

interface Props {
  /** Called when the user opens or begins a conversation, so that an overlay can close. */
  readonly onOpened?: (() => void) | undefined;
}

/** All conversations: pinned first, then by date. */
export function ChatList({ onOpened }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  return (
    <div className="chat-list">
      <Button
        icon={<SquarePen aria-hidden />}
        onClick={() => {
          void chat.begin();
          onOpened?.();
        }}
      >
        {t('palette.newChat')}
      </Button>
      <ChatSearchField />
      <ChatRows onOpened={onOpened} />
      <ChatStorage />
    </div>
  );
}

function ChatSearchField() {
  const { t } = useTranslation();
  const { chat } = useActions();
  const query = useUiState(({ chat }) => chat.search.query);
  return (
    <SearchField
      label={t('chat.list.find')}
      clearLabel={t('shell.clearSearch')}
      query={query}
      onSearch={chat.search}
    />
  );
}

function ChatRows({ onOpened }: Props) {
  const { t, i18n } = useTranslation();
  const { chat } = useActions();
  const list = useUiState(({ chat }) => chat.list);
  const search = useUiState(({ chat }) => chat.search);
  const removed = useUiState(({ removed }) => removed?.keys);
  const groups = chatGroups(
    list.filter(({ id }) => removed?.has(`chat ${id}`) !== true),
    search,
  );
  const { shown, end } = useIncrementalRows(groups.reduce((sum, { rows }) => sum + rows.length, 0));
  // A new conversation may match the search.
  useEffect(() => {
    if (list.length > 0) chat.searchAgain();
  }, [chat, list]);
  const isEmpty = groups.length === 0 && (search.query.trim() === '' || search.hits !== undefined);
  return (
    <div className="chat-list-rows scroll-area">
      {withFirstRows(groups, shown).map(({ name, rows }) => (
        <section key={name} aria-label={t(`chat.list.${name}`)}>
          <h2 className="entry-group hint">{t(`chat.list.${name}`)}</h2>
          <ul>
            {rows.map(({ id, title, pinned, excerpt, turn, updatedAt }) => (
              <ChatRow
                key={id}
                id={id}
                storedTitle={title}
                pinned={pinned}
                about={excerpt === '' ? formatWhen(updatedAt, i18n.language) : excerpt}
                turn={turn}
                onOpened={onOpened}
              />
            ))}
          </ul>
        </section>
      ))}
      {end !== undefined && <div ref={end} className="chat-list-end" />}
      {isEmpty && (
        <p className="chat-list-none" role="status">
          {t(search.query.trim() === '' ? 'chat.list.none' : 'shell.nothingFound')}
        </p>
      )}
    </div>
  );
}

interface ChatRowProps extends Props, Pick<ChatSummary, 'id' | 'pinned'> {
  readonly storedTitle: string;
  /** The excerpt of a hit, or when the conversation was changed. */
  readonly about: string;
  /** The turn of a hit, which opening shows. */
  readonly turn: string | undefined;
}

/** The row's props are plain values, because the core sends a new list at each change, and only changed rows should render. */
const ChatRow = memo(function ChatRow({
  id,
  storedTitle,
  pinned,
  about,
  turn,
  onOpened,
}: ChatRowProps) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const isOpen = useUiState(({ chat }) => chat.conversation?.id === id);
  const [isRenaming, setRenaming] = useState(false);
  const title = storedTitle === '' ? t('chat.list.untitled') : storedTitle;
  if (isRenaming)
    return (
      <li className="entry-row">
        <TitleField
          label={t('chat.list.newName')}
          title={title}
          onRename={(name) => void chat.rename(id, name)}
          onEnd={() => setRenaming(false)}
        />
      </li>
    );
  return (
    <li ref={passFocusOn} className="entry-row">
      <button
        type="button"
        className="chat-list-open"
        aria-current={isOpen ? 'true' : undefined}
        onClick={() => {
          void chat.open(id, turn);
          onOpened?.();
        }}
      >
        <span className="one-line" dir="auto">
          {title}
        </span>
        <span className="one-line hint" dir="auto">
          {about}
        </span>
      </button>
      <ChatMenu id={id} title={storedTitle} pinned={pinned} onRename={() => setRenaming(true)} />
    </li>
  );
});

interface ChatMenuProps extends Pick<ChatSummary, 'id' | 'title' | 'pinned'> {
  readonly onRename: () => void;
}

export function ChatMenu({ id, title: storedTitle, pinned, onRename }: ChatMenuProps) {
  const { t } = useTranslation();
  const { chat, exporting, history, removal } = useActions();
  const isOpen = useUiState(({ chat }) => chat.conversation?.id === id);
  const title = storedTitle === '' ? t('chat.list.untitled') : storedTitle;
  return (
    <EntryMenu
      label={t('chat.list.more', { title })}
      pinned={pinned}
      onRename={onRename}
      onPin={(pin) => void chat.pin(id, pin)}
    >
      <MenuItem icon={Download} onSelect={() => void exporting.open({ kind: 'chat', id }, title)}>
        {t('export.action')}
      </MenuItem>
      <MenuItem
        icon={Trash2}
        onSelect={() => {
          removal.remove({
            keys: [`chat ${id}`],
            message: t('shell.undo.deleted', { title }),
            ...history.withhold([{ kind: 'chat', id }], {
              remove: () => chat.remove(id),
              restore: () => void (isOpen && chat.open(id)),
            }),
          });
          // The open conversation was deleted, so a new one opens.
          if (isOpen) void chat.begin();
        }}
      >
        {t('buttons.delete')}
      </MenuItem>
    </EntryMenu>
  );
}

function ChatStorage() {
  const { t } = useTranslation();
  const { changeSettings, openSettings } = useActions();
  const privacy = useUiState(({ settings }) => settings?.privacy);
  if (privacy === undefined) return null;
  if (!privacy.keepChats)
    return (
      <div className="chat-list-storage hint">
        <p>{t('chat.list.notKept')}</p>
        <Button kind="quiet" onClick={() => void changeSettings({ privacy: { keepChats: true } })}>
          {t('chat.list.keep')}
        </Button>
      </div>
    );
  if (privacy.days === 'forever') return null;
  return (
    <div className="chat-list-storage hint">
      <RetentionPeriod days={privacy.days} />
      <Button kind="quiet" onClick={() => openSettings('privacy')}>
        {t('history.privacy')}
      </Button>
    </div>
  );
}

function RetentionPeriod({ days }: Pick<PrivacySettings, 'days'>) {
  const { t } = useTranslation();
  const names: Readonly<Record<string, string>> = t('settings.privacy.days', {
    returnObjects: true,
  });
  const howLong = names[String(days)] ?? t('settings.privacy.otherDays', { days });
  return <p>{t('chat.list.keptFor', { howLong })}</p>;
}

/** More than fit into a window, and few enough to render at once. */
const rowsPerStep = 60;
/** More rows are rendered when the end of the list is this close to the visible part. */
const renderMargin = '600px';

/** How many rows to render. More follow while the user scrolls, because thousands would block the page. */
function useIncrementalRows(total: number) {
  const [shown, setShown] = useState(rowsPerStep);
  const end = useCallback(
    (element: Element | null) => {
      if (element === null) return undefined;
      const watch = new IntersectionObserver(
        (entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) setShown(shown + rowsPerStep);
        },
        { rootMargin: renderMargin },
      );
      watch.observe(element);
      return () => watch.disconnect();
    },
    [shown],
  );
  return { shown, end: shown < total ? end : undefined };
}

interface RowGroup {
  readonly name: 'pinned' | 'recent' | 'found';
  readonly rows: readonly ChatSearchHit[];
}

/** The rows by group. Search hits show the current title and pin, and disappear when deleted. */
export function chatGroups(
  list: readonly ChatSummary[],
  { query, hits }: ChatSearch,
): readonly RowGroup[] {
  if (query.trim() !== '')
    return nonEmpty([{ name: 'found', rows: withCurrentTitles(hits ?? [], list) }]);
  const rows = list.map((head) => ({ ...head, excerpt: '' }));
  return nonEmpty([
    { name: 'pinned', rows: rows.filter(({ pinned }) => pinned) },
    { name: 'recent', rows: rows.filter(({ pinned }) => !pinned) },
  ]);
}

export function withFirstRows(groups: readonly RowGroup[], count: number): readonly RowGroup[] {
  let remaining = count;
  const first = groups.map(({ name, rows }) => {
    const shown = rows.slice(0, remaining);
    remaining -= shown.length;
    return { name, rows: shown };
  });
  return nonEmpty(first);
}

function withCurrentTitles(
  hits: readonly ChatSearchHit[],
  list: readonly ChatSummary[],
): readonly ChatSearchHit[] {
  const heads = new Map(list.map((head) => [head.id, head]));
  return hits.flatMap(({ id, excerpt, turn }) => {
    const head = heads.get(id);
    return head === undefined ? [] : [{ ...head, excerpt, turn }];
  });
}

function nonEmpty(groups: readonly RowGroup[]): readonly RowGroup[] {
  return groups.filter(({ rows }) => rows.length > 0);
}

/** The time for today, otherwise the date, with the year if it is not this year. */
export function formatWhen(at: number, language: string, now = Date.now()): string {
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() === today.toDateString()) return formatTime(at, language);
  const year = then.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return dateFormat(language, { day: 'numeric', month: 'long', ...year }).format(then);
}
