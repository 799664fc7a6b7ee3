import type { ComponentProps } from 'react';
import type { LucideIcon } from 'lucide-react';
import { Tip } from './tip.tsx';
import './button.css';

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Shown under the icon as well, not only to those who point at it or listen. */
  readonly labelled?: boolean;
  /** More than the label says, for example the key. */
  readonly hint?: string | undefined;
  /** For what is on or off. */
  readonly pressed?: boolean | undefined;
}

/** A button that is an icon; its name is in the tip, and always there for those who listen. */
export function IconButton({ icon: Icon, label, labelled, hint, pressed, ...rest }: Props) {
  return (
    <Tip text={hint === undefined ? label : `${label} · ${hint}`}>
      <button
        type="button"
        className="icon-button"
        aria-label={label}
        aria-pressed={pressed}
        {...rest}
      >
        <Icon strokeWidth={1.75} aria-hidden />
        {labelled === true && (
          <span className="label" aria-hidden>
            {label}
          </span>
        )}
      </button>
    </Tip>
  );
}
