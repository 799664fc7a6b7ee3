import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import './layers.css';

interface Props {
  readonly text: string;
  readonly children: ReactNode;
}

/** Says what something is called, when it is pointed at or reached by keyboard. */
export function Tip({ text, children }: Props) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" sideOffset={6} collisionPadding={8}>
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
