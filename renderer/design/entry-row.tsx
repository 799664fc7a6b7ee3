import { Ellipsis, Pencil, Pin, PinOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainIconButton } from './button.tsx';
import { Menu, MenuItem, useKeepFocus } from './menu.tsx';
import './entry-row.css';

interface EntryMenuProps {
  readonly label: string;
  readonly pinned: boolean;
  readonly onRename: () => void;
  readonly onPin: (pinned: boolean) => void;
  readonly children: ReactNode;
}

export function EntryMenu({ label, pinned, onRename, onPin, children }: EntryMenuProps) {
  const { t } = useTranslation();
  const focus = useKeepFocus();
  return (
    <Menu
      trigger={<PlainIconButton icon={Ellipsis} strokeWidth={2} label={label} />}
      onCloseAutoFocus={focus.onCloseAutoFocus}
    >
      <MenuItem
        icon={Pencil}
        onSelect={() => {
          focus.keep();
          onRename();
        }}
      >
        {t('buttons.rename')}
      </MenuItem>
      <MenuItem icon={pinned ? PinOff : Pin} onSelect={() => onPin(!pinned)}>
        {t(pinned ? 'buttons.unpin' : 'buttons.pin')}
      </MenuItem>
      {children}
    </Menu>
  );
}
