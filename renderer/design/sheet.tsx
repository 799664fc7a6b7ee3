import { Dialog } from 'radix-ui';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, CloseButton } from './button.tsx';
import './layers.css';

interface Props {
  readonly name: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

export function Sheet({ wide = false, ...rest }: Props) {
  return (
    <Layer
      {...rest}
      className="sheet"
      data-wide={wide}
      onEscapeKeyDown={(event) => {
        if (isSearching(event.target)) event.preventDefault();
      }}
    />
  );
}

/** A sheet at the left edge, in place of a sidebar in narrow windows. */
export function SideSheet(props: Omit<Props, 'wide'>) {
  return <Layer {...props} className="side-sheet" />;
}

/** The veil is Parley's, because Radix's overlay inserts a style element, which the content security policy forbids. */
function Layer({
  name,
  open,
  onOpenChange,
  children,
  ...rest
}: Omit<Props, 'wide'> & ComponentProps<typeof Dialog.Content>) {
  const restoreFocus = useRestoreFocus();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <div className="veil" />
        <Dialog.Content aria-describedby={undefined} {...rest} {...restoreFocus}>
          <Dialog.Title className="only-heard">{name}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** In a search field with text, Escape clears the search. */
function isSearching(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement &&
    target.value !== '' &&
    target.closest('.search-field') !== null
  );
}

interface SheetHeaderProps {
  readonly title: string;
  readonly onClose: () => void;
}

export function SheetHeader({ title, onClose }: SheetHeaderProps) {
  const { t } = useTranslation();
  return (
    <header className="sheet-head">
      <h2>{title}</h2>
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
    <Sheet
      name={question}
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <div className="confirm-sheet">
        <p className="confirm-question">{question}</p>
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
 * element before both.
 */
export function useRestoreFocus() {
  const before = useRef<Element>(null);
  return {
    onOpenAutoFocus: () => {
      const now = document.activeElement;
      const isInLayer =
        now === null || now === document.body || now.closest(dialogSelector) !== null;
      before.current = isInLayer ? (focusBefore ?? now) : now;
      focusBefore = before.current;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (document.querySelector(dialogSelector) !== null) return;
      focusBefore = null;
      if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
