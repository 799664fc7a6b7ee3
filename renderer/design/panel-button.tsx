import type { LucideIcon } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ComponentProps } from 'react';
import './layers.css';

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  readonly icon: LucideIcon;
  readonly label: string;
  /** The key that does the same. */
  readonly keys?: string | undefined;
}

/** Something to be done, as a line of a panel. */
export function PanelButton({ icon: Icon, label, keys, ...rest }: Props) {
  return (
    <button type="button" className="panel-button" {...rest}>
      <Icon strokeWidth={1.75} aria-hidden />
      <span>{label}</span>
      {keys !== undefined && <kbd aria-hidden>{keys}</kbd>}
    </button>
  );
}

/** One that closes the panel, because with it everything is done. */
export function ClosingPanelButton(props: Props) {
  return (
    <Popover.Close asChild>
      <PanelButton {...props} />
    </Popover.Close>
  );
}
