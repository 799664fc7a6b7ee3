import {
  CassetteTape,
  Download,
  Ellipsis,
  FolderOpen,
  ListChecks,
  MessageSquareText,
  Mic,
  Pencil,
  Pin,
  PinOff,
  Video,
} from 'lucide-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundPlace, HistoryItem } from '../../shared/recordings/history-item.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { TitleField } from '../design/edit-in-place.tsx';
import { Menu, MenuItem, useKeepKeyboard } from '../design/menu.tsx';
import { hourAndMinute, lengthText } from '../i18n/time-text.ts';
import { entryTitle, isTapeOnly } from './history-text.ts';
import { type HistoryEntry, historyKey } from './history-ui-state.ts';
import { type RemoveEntries, RemoveItems } from './remove-entries.tsx';

interface Props {
  readonly entry: HistoryEntry;
  readonly remove: RemoveEntries;
}

/** One talk or conversation, with what can be done to it; while several are chosen, a box to tick. */
export const EntryRow = memo(({ entry, remove }: Props) => {
  const { t } = useTranslation();
  const { history } = useActions();
  const { item } = entry;
  const key = historyKey(item);
  const open = useUiState(({ history: { opened } }) => `talk ${opened?.id}` === key);
  const chosen = useUiState(({ history }) => history.chosen?.has(key));
  const [renames, setRenames] = useState(false);
  if (renames) {
    return (
      <TitleField
        label={t('history.newName')}
        title={entryTitle(item, t)}
        rename={(title) => void history.rename(item, title)}
        end={() => {
          setRenames(false);
        }}
      />
    );
  }
  return (
    <div className="kept-row" data-open={open}>
      <button
        type="button"
        className="kept-open"
        aria-current={open ? 'true' : undefined}
        role={chosen === undefined ? undefined : 'checkbox'}
        aria-checked={chosen}
        onClick={() => {
          if (chosen === undefined) void history.open(entry);
          else history.toggle(item);
        }}
        onKeyDown={({ key }) => {
          if (chosen !== undefined) return;
          if (key === 'F2') setRenames(true);
          if (key === 'Delete') remove([item], 'too');
        }}
      >
        {chosen !== undefined && <span className="kept-box" aria-hidden />}
        <EntryText entry={entry} />
      </button>
      {chosen === undefined && (
        <EntryMenu
          item={item}
          rename={() => {
            setRenames(true);
          }}
          remove={(recordings) => {
            remove([item], recordings);
          }}
        />
      )}
    </div>
  );
});
EntryRow.displayName = 'EntryRow';

const icons = { audio: Mic, video: Video, chat: MessageSquareText } as const;

/** What a row says: its title, what it is, when it was and how long, and the words that were looked for. */
function EntryText({ entry: { item, place } }: { readonly entry: HistoryEntry }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const kind = item.kind === 'talk' ? item.mode : 'chat';
  const Icon = icons[kind];
  return (
    <span className="kept-text">
      <span className="kept-title">
        <span dir="auto">{entryTitle(item, t)}</span>
        {item.pinned && (
          <>
            <Pin aria-hidden />
            <span className="only-heard">{t('history.pinned')}</span>
          </>
        )}
      </span>
      <span className="kept-under">
        <Icon aria-hidden />
        <span className="only-heard">{t(`history.kinds.${kind}`)}</span>
        <span>{hourAndMinute(item.at, language)}</span>
        {item.kind === 'talk' && <span>{lengthText(item.seconds, language)}</span>}
        {item.kind === 'talk' && item.ending !== 'orderly' && (
          <span className="kept-ending" data-ending={item.ending}>
            {t(`history.endings.${item.ending}`)}
          </span>
        )}
        {item.kind === 'talk' && item.tape && (
          <>
            <CassetteTape aria-hidden />
            <span className="only-heard">{t('history.tape')}</span>
          </>
        )}
      </span>
      {place !== undefined && place.excerpt !== '' && (
        <span className="kept-excerpt" dir="auto">
          <MarkedText {...place} />
        </span>
      )}
    </span>
  );
}

/** Words with those marked that were looked for. */
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

interface EntryMenuProps {
  readonly item: HistoryItem;
  readonly rename: () => void;
  readonly remove: (recordings: 'too' | 'stay') => void;
}

/** What can be done to one of the list. */
function EntryMenu({ item, rename, remove }: EntryMenuProps) {
  const { t } = useTranslation();
  const { history, exporting } = useActions();
  const keyboard = useKeepKeyboard();
  const goesOn = item.kind === 'talk' && item.ending === 'goesOn';
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="icon-button"
          aria-label={t('history.more', { title: entryTitle(item, t) })}
        >
          <Ellipsis aria-hidden />
        </button>
      }
      closing={keyboard.closing}
    >
      <MenuItem
        icon={Pencil}
        run={() => {
          keyboard.keep();
          rename();
        }}
      >
        {t('history.actions.rename')}
      </MenuItem>
      <MenuItem icon={item.pinned ? PinOff : Pin} run={() => void history.pin(item, !item.pinned)}>
        {t(item.pinned ? 'history.actions.unpin' : 'history.actions.pin')}
      </MenuItem>
      <MenuItem
        icon={ListChecks}
        run={() => {
          history.choose([item]);
        }}
      >
        {t('history.actions.choose')}
      </MenuItem>
      {!goesOn && (
        <MenuItem
          icon={Download}
          run={() => void exporting.open({ kind: item.kind, id: item.id }, entryTitle(item, t))}
        >
          {t('export.action')}
        </MenuItem>
      )}
      <MenuItem icon={FolderOpen} run={() => void history.showFolder(item)}>
        {t('history.actions.folder')}
      </MenuItem>
      <RemoveItems taped={item.kind === 'talk' && item.tape && !isTapeOnly(item)} remove={remove} />
    </Menu>
  );
}
