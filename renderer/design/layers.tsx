import { Check, ChevronDown, type LucideIcon } from 'lucide-react';
import { Dialog, DropdownMenu, Popover } from 'radix-ui';
import { type ComponentProps, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, CloseButton, isComposing } from './controls.tsx';

interface SheetProps {
  readonly name: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

export function Sheet({ wide = false, ...rest }: SheetProps) {
  return <Layer {...rest} className="sheet" data-wide={wide} />;
}

/** A sheet at the left edge, in place of a sidebar in narrow windows. */
export function SideSheet(props: Omit<SheetProps, 'wide'>) {
  return <Layer {...props} className="side-sheet" />;
}

/**
 * The backdrop is a plain `div`. Radix's overlay would insert a style element, which the content security policy
 * forbids.
 */
function Layer({
  name,
  open,
  onClose,
  children,
  ...rest
}: Omit<SheetProps, 'wide'> & ComponentProps<typeof Dialog.Content>) {
  const restoreFocus = useRestoreFocus();
  return (
    <Dialog.Root open={open} onOpenChange={onClose}>
      <Dialog.Portal>
        <div className="veil" />
        <Dialog.Content
          aria-describedby={undefined}
          {...rest}
          {...restoreFocus}
          onEscapeKeyDown={(event) => {
            if (isComposing(event) || usesEscape(event.target)) event.preventDefault();
          }}
        >
          <Dialog.Title className="visually-hidden">{name}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const escapeFieldSelector =
  '.title-field, .words-field, .search-field input:not(:placeholder-shown)';

/** In a field for a title or words, Escape cancels the edit. In a search field with text, it clears the search. */
function usesEscape(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(escapeFieldSelector);
}

interface SheetHeaderProps {
  readonly title: string;
  readonly onClose: () => void;
}

/** Screen readers read the name of the sheet instead of the title. */
export function SheetHeader({ title, onClose }: SheetHeaderProps) {
  const { t } = useTranslation();
  return (
    <header className="sheet-head">
      <p className="sheet-title" aria-hidden>
        {title}
      </p>
      <CloseButton label={t('buttons.close')} onClick={onClose} />
    </header>
  );
}

interface ConfirmProps {
  readonly open: boolean;
  readonly question: string;
  readonly detail: string;
  readonly yes: string;
  readonly no: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/**
 * Asks before a permanent deletion. It opens away from the button and focuses the safe answer, so that a double click
 * deletes nothing.
 */
export function Confirm({ open, question, detail, yes, no, onClose, onConfirm }: ConfirmProps) {
  return (
    <Sheet name={question} open={open} onClose={onClose}>
      <div className="confirm-sheet">
        {/* Screen readers read the name of the sheet instead. */}
        <p className="confirm-question" aria-hidden>
          {question}
        </p>
        <p>{detail}</p>
        <div className="confirm-buttons button-row">
          <Button onClick={onClose}>{no}</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {yes}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

const dialogSelector = '[role="dialog"]';

/** The element with the focus before the first open layer. */
let focusBefore: Element | null = null;

/**
 * Returns the focus when a layer closes, also if a key opened it. A layer that replaces another returns it to the
 * element before both; a layer over another returns it into that one.
 */
export function useRestoreFocus() {
  const before = useRef<Element>(null);
  const opener = useRef<Element>(null);
  return {
    onOpenAutoFocus: () => {
      const now = document.activeElement;
      opener.current = now;
      const isInLayer =
        now === null || now === document.body || now.closest(dialogSelector) !== null;
      before.current = isInLayer ? (focusBefore ?? now) : now;
      focusBefore = before.current;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (document.querySelector(dialogSelector) !== null) {
        const isLost = document.activeElement === document.body;
        if (isLost && opener.current instanceof HTMLElement) opener.current.focus();
        return;
      }
      focusBefore = null;
      if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}

interface PanelProps {
  readonly name: string;
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly side?: 'top' | 'bottom' | 'left';
  /** Called before the focus returns to the trigger; it can prevent that. */
  readonly onCloseAutoFocus?: (event: Event) => void;
}

/** A popover of controls; the rest of the page stays usable. */
export function Panel({ name, trigger, children, side = 'bottom', onCloseAutoFocus }: PanelProps) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="panel"
          aria-label={name}
          side={side}
          sideOffset={8}
          collisionPadding={8}
          {...(onCloseAutoFocus === undefined ? {} : { onCloseAutoFocus })}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface PanelButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly keys?: string | undefined;
}

export function PanelButton({ icon: Icon, label, keys, ...rest }: PanelButtonProps) {
  return (
    <button type="button" className="panel-button" {...rest}>
      <Icon strokeWidth={1.75} aria-hidden />
      <span>{label}</span>
      {keys !== undefined && <kbd aria-hidden>{keys}</kbd>}
    </button>
  );
}

/** A button that also closes the panel. */
export function ClosingPanelButton(props: PanelButtonProps) {
  return (
    <Popover.Close asChild>
      <PanelButton {...props} />
    </Popover.Close>
  );
}

interface MenuProps {
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly side?: 'top' | 'bottom';
  readonly onOpen?: () => void;
  /** Called before the focus returns to the button; it can prevent that. */
  readonly onCloseAutoFocus?: (event: Event) => void;
}

/**
 * A click beside the menu only closes it, because a shield takes the click. Radix's modal menu would insert a style
 * element, which the content security policy forbids.
 */
export function Menu({ trigger, children, side = 'bottom', onOpen, onCloseAutoFocus }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <DropdownMenu.Root
      modal={false}
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open);
        if (open) onOpen?.();
      }}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {isOpen && <div className="menu-shield" />}
      {/* A sheet would clip a menu inside it. */}
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          side={side}
          sideOffset={8}
          collisionPadding={8}
          {...(onCloseAutoFocus === undefined ? {} : { onCloseAutoFocus })}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  readonly icon: LucideIcon;
  readonly onSelect: () => void;
  readonly children: string;
}

export function MenuItem({ icon: Icon, onSelect, children }: ItemProps) {
  return (
    <DropdownMenu.Item className="menu-item" onSelect={onSelect}>
      <span className="menu-icon">
        <Icon aria-hidden />
      </span>
      {children}
    </DropdownMenu.Item>
  );
}

interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly value: Value;
  readonly choices: Readonly<Record<Value, string>>;
  readonly onChoose: (value: Value) => void;
}

export function MenuChoice<Value extends string>({
  name,
  value,
  choices,
  onChoose,
}: ChoiceProps<Value>) {
  const values = Object.keys(choices) as readonly string[] as readonly Value[];
  return (
    <DropdownMenu.RadioGroup
      value={value}
      aria-label={name}
      onValueChange={(chosen) => onChoose(chosen as Value)}
    >
      <DropdownMenu.Label className="menu-heading hint">{name}</DropdownMenu.Label>
      {values.map((choice) => (
        <DropdownMenu.RadioItem key={choice} value={choice} className="menu-item">
          <DropdownMenu.ItemIndicator className="menu-check">
            <Check aria-hidden />
          </DropdownMenu.ItemIndicator>
          {choices[choice]}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/** Keeps the focus in a field that an item opens, when its menu or panel closes. */
export function useKeepFocus() {
  const keepsFocus = useRef(false);
  return {
    keep: (): void => {
      keepsFocus.current = true;
    },
    /** Pass this to `Menu` or `Panel`. */
    onCloseAutoFocus: (event: Event): void => {
      if (keepsFocus.current) event.preventDefault();
      keepsFocus.current = false;
    },
  };
}

interface PickerProps<Value extends string> {
  readonly value: Value;
  readonly choices: Readonly<Record<Value, string>>;
  /** Shown if the value is not among the choices. */
  readonly fallback?: string;
  readonly onChoose: (value: Value) => void;
  readonly label: string;
  readonly labelledBy?: string | undefined;
  readonly describedBy?: string | undefined;
}

/** A button that shows the choice and opens a menu with all of them. */
export function Picker<Value extends string>(props: PickerProps<Value>) {
  const { value, choices, fallback, onChoose, label, labelledBy, describedBy } = props;
  const id = useId();
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="picker"
          aria-labelledby={labelledBy === undefined ? undefined : `${labelledBy} ${id}`}
          aria-describedby={describedBy}
        >
          <span id={id} className="picker-value">
            {Object.hasOwn(choices, value) ? choices[value] : (fallback ?? value)}
          </span>
          <ChevronDown aria-hidden />
        </button>
      }
    >
      <MenuChoice name={label} value={value} choices={choices} onChoose={onChoose} />
    </Menu>
  );
}
