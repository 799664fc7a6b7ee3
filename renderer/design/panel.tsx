import type { LucideIcon } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import './layers.css';

interface Props {
  readonly name: string;
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly side?: 'top' | 'bottom' | 'left';
}

/** A popover of controls; the rest of the page stays usable. */
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

/** Also closes the panel. */
export function ClosingPanelButton(props: PanelButtonProps) {
  return (
    <Popover.Close asChild>
      <PanelButton {...props} />
    </Popover.Close>
  );
}
