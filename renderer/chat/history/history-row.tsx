import { Download, Ellipsis, Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatSearchHit } from '../../../shared/chat/chat-summary.ts';
import { Menu, MenuItem } from '../../design/menu.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { HistoryRename } from './history-rename.tsx';
import { formatWhen } from './history-groups.ts';

interface Props {
  readonly row: ChatSearchHit;
  readonly chosen?: (() => void) | undefined;
}

/** One conversation, with what can be done to it. */
export function HistoryRow({ row, chosen }: Props) {
  const { t, i18n } = useTranslation();
  const { chat, exporting, removal } = useActions();
  const open = useUiState(({ chat }) => chat.conversation?.id === row.id);
  const [doing, setDoing] = useState<'renaming'>();
  const title = row.title === '' ? t('chat.list.untitled') : row.title;
  // A closing menu gives the keyboard back to its button, unless a field has it by then.
  const renames = useRef(false);
  const end = (): void => {
    setDoing(undefined);
  };
  if (doing === 'renaming') return <HistoryRename id={row.id} title={row.title} end={end} />;
  return (
    <li className="history-row">
      <button
        type="button"
        className="history-open"
        aria-current={open ? 'true' : undefined}
        onClick={() => {
          void chat.open(row.id);
          chosen?.();
        }}
      >
        <span className="history-title" dir="auto">
          {title}
        </span>
        <span className="history-under" dir="auto">
          {row.excerpt === '' ? formatWhen(row.updatedAt, i18n.language) : row.excerpt}
        </span>
      </button>
      <Menu
        trigger={
          <button type="button" className="icon-button" aria-label={t('chat.list.more', { title })}>
            <Ellipsis aria-hidden />
          </button>
        }
        closing={(event) => {
          if (renames.current) event.preventDefault();
          renames.current = false;
        }}
      >
        <MenuItem
          icon={Pencil}
          run={() => {
            renames.current = true;
            setDoing('renaming');
          }}
        >
          {t('chat.list.rename')}
        </MenuItem>
        <MenuItem icon={row.pinned ? PinOff : Pin} run={() => void chat.pin(row.id, !row.pinned)}>
          {t(row.pinned ? 'chat.list.unpin' : 'chat.list.pin')}
        </MenuItem>
        <MenuItem
          icon={Download}
          run={() => void exporting.open({ kind: 'chat', id: row.id }, title)}
        >
          {t('export.action')}
        </MenuItem>
        <MenuItem
          icon={Trash2}
          run={() => {
            removal.remove({
              key: `chat ${row.id}`,
              title,
              remove: () => chat.remove(row.id),
              restore: () => (open ? chat.open(row.id) : undefined),
            });
            // What is deleted is not looked at any longer.
            if (open) void chat.begin();
          }}
        >
          {t('chat.list.remove')}
        </MenuItem>
      </Menu>
    </li>
  );
}
