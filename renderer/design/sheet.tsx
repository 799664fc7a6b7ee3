import { Dialog } from 'radix-ui';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import './layers.css';

interface Props {
  readonly name: string;
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
  readonly children: ReactNode;
  /** For pictures, which need the room. */
  readonly wide?: boolean;
}

/**
 * A sheet over the page. The veil is our own: Radix's writes a style element into the page, which
 * our content policy forbids.
 */
export function Sheet({ name, open, setOpen, children, wide = false }: Props) {
  // Opened by a key it has no button to give the keyboard back to, so it remembers who had it.
  const before = useRef<Element>(null);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <div className="veil" />
        <Dialog.Content
          className="sheet"
          data-wide={wide}
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            before.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before.current instanceof HTMLElement) before.current.focus();
          }}
        >
          <Dialog.Title className="only-heard">{name}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
