import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import '../layers.css';
import { useRestoreFocus } from '../use-restore-focus.ts';

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
  const restoreFocus = useRestoreFocus();
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <div className="veil" />
        <Dialog.Content
          className="sheet"
          data-wide={wide}
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => {
            if (isSearching(event.target)) event.preventDefault();
          }}
          {...restoreFocus}
        >
          <Dialog.Title className="only-heard">{name}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** There Escape clears what is looked for. */
function isSearching(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement &&
    target.value !== '' &&
    target.closest('.search-field') !== null
  );
}
