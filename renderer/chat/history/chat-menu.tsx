import { Download, Ellipsis, Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ChatSummary } from '../../../shared/chat/chat-summary.ts';
import { Menu, MenuItem } from '../../design/menu.tsx';
import { useKeepKeyboard } from '../../design/use-keep-keyboard.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';

interface Props extends Pick<ChatSummary, 'id' | 'title' | 'pinned'> {
  /** Shows the field for its new name. */
  readonly rename: () => void;
}

/** What can be done with one conversation as a whole. */
export function ChatMenu({ id, title: named, pinned, rename }: Props) {
  const { t } = useTranslation();
  const { chat, exporting, removal } = useActions();
  const open = useUiState(({ chat }) => chat.conversation?.id === id);
  const keyboard = useKeepKeyboard();
  const title = named === '' ? t('chat.list.untitled') : named;
  return (
    <Menu
      trigger={
        <button type="button" className="icon-button" aria-label={t('chat.list.more', { title })}>
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
        {t('chat.list.rename')}
      </MenuItem>
      <MenuItem icon={pinned ? PinOff : Pin} run={() => void chat.pin(id, !pinned)}>
        {t(pinned ? 'chat.list.unpin' : 'chat.list.pin')}
      </MenuItem>
      <MenuItem icon={Download} run={() => void exporting.open({ kind: 'chat', id }, title)}>
        {t('export.action')}
      </MenuItem>
      <MenuItem
        icon={Trash2}
        run={() => {
          removal.remove({
            keys: [`chat ${id}`],
            told: t('shell.undo.deleted', { title }),
            remove: () => chat.remove(id),
            restore: () => (open ? chat.open(id) : undefined),
          });
          // What is deleted is not looked at any longer.
          if (open) void chat.begin();
        }}
      >
        {t('chat.list.remove')}
      </MenuItem>
    </Menu>
  );
}
