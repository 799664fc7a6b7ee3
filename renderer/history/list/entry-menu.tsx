import { Download, Ellipsis, FolderOpen, ListChecks, Pencil, Pin, PinOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { HistoryItem } from '../../../shared/history/history-item.ts';
import { Menu, MenuItem } from '../../design/menu.tsx';
import { useKeepKeyboard } from '../../design/use-keep-keyboard.ts';
import { useActions } from '../../store/use-app-context.ts';
import { entryTitle, isTapeOnly } from './entry-title.ts';
import { RemoveItems } from './remove-items.tsx';

interface Props {
  readonly item: HistoryItem;
  readonly rename: () => void;
  readonly remove: (recordings: 'too' | 'stay') => void;
}

/** What can be done to one of the list. */
export function EntryMenu({ item, rename, remove }: Props) {
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
