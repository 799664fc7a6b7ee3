import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import '../layers.css';
import { useRestoreFocus } from '../use-restore-focus.ts';

interface Props {
  readonly name: string;
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
  readonly children: ReactNode;
}

/** A sheet at the left edge, for what stands beside the page where there is room. */
export function SideSheet({ name, open, setOpen, children }: Props) {
  const restoreFocus = useRestoreFocus();
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <div className="veil" />
        <Dialog.Content className="side-sheet" aria-describedby={undefined} {...restoreFocus}>
          <Dialog.Title className="only-heard">{name}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
