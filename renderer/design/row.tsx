import { Ellipsis, Pencil, Pin, PinOff } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { passFocusOn, PlainIconButton } from './controls.tsx';
import { Menu, MenuItem, useKeepFocus } from './layers.tsx';
import './row.css';

export interface RowAria {
  readonly id: string;
  readonly 'aria-labelledby': string;
  readonly 'aria-describedby': string;
}

interface Props {
  readonly title: string;
  readonly about: string;
  readonly problem?: string | undefined;
  /** Places the control below the text, in full width. */
  readonly wide?: boolean;
  readonly ref?: Ref<HTMLDivElement>;
  readonly children: (aria: RowAria) => ReactNode;
}

export function Row({ title, about, problem, wide = false, ref, children }: Props) {
  const id = useId();
  return (
    <div className="row" data-wide={wide} ref={ref}>
      <div>
        <label id={`${id}-name`} htmlFor={id} className="row-name">
          {title}
        </label>
        <p id={`${id}-hint`} className="row-hint">
          {about}
        </p>
      </div>
      <div className="row-control">
        {children({
          id,
          'aria-labelledby': `${id}-name`,
          'aria-describedby': `${id}-hint ${id}-problem`,
        })}
      </div>
      <p id={`${id}-problem`} className="row-problem" role="alert" dir="auto">
        {problem}
      </p>
    </div>
  );
}

/** A name and its value in a `dl`. */
export function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The row of an entry. The next row gets the focus when the entry is deleted. */
export function EntryFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div ref={passFocusOn} className="entry-row">
      {children}
    </div>
  );
}

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
