import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import './layers.css';

interface Props {
  readonly name: string;
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly side?: 'top' | 'bottom' | 'left';
}

/** A few controls that float beside their button; the page around them goes on. */
export function Panel({ name, trigger, children, side = 'bottom' }: Props) {
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
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
