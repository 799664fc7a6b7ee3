import { Ellipsis, Pencil, Pin, PinOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainIconButton } from './button.tsx';
import { Menu, MenuItem, useKeepFocus } from './menu.tsx';
import './entry-row.css';

interface EntryMenuProps {
  readonly label: string;
  readonly pinned: boolean;
  readonly rename: () => void;
  readonly pin: (pinned: boolean) => void;
  readonly children: ReactNode;
}

export function EntryMenu({ label, pinned, rename, pin, children }: EntryMenuProps) {
  const { t } = useTranslation();
  const keyboard = useKeepFocus();
  return (
    <Menu
      trigger={<PlainIconButton icon={Ellipsis} strokeWidth={2} label={label} />}
      closing={keyboard.closing}
    >
      <MenuItem
        icon={Pencil}
        run={() => {
          keyboard.keep();
          rename();
        }}
      >
        {t('buttons.rename')}
      </MenuItem>
      <MenuItem icon={pinned ? PinOff : Pin} run={() => pin(!pinned)}>
        {t(pinned ? 'buttons.unpin' : 'buttons.pin')}
      </MenuItem>
      {children}
    </Menu>
  );
}
