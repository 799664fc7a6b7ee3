import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import { lastInput } from './last-input.ts';
import './layers.css';

interface Props {
  readonly text: string;
  readonly children: ReactNode;
}

/** Says what something is called, when it is pointed at or reached by keyboard. */
export function Tip({ text, children }: Props) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        asChild
        onFocus={(event) => {
          // What closes gives the keyboard back to its button, and a window to what had it: whoever points or
          // comes back has not asked what that is called.
          if (lastInput() !== 'keyboard') event.preventDefault();
        }}
      >
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" sideOffset={6} collisionPadding={8}>
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
