import type { ComponentProps, ReactNode } from 'react';
import './button.css';

interface Props extends Omit<ComponentProps<'button'>, 'className'> {
  /** `strong`: the one thing to do here. `quiet`: there if wanted. `danger`: it cannot be taken back. */
  readonly kind?: 'strong' | 'plain' | 'quiet' | 'danger';
  readonly icon?: ReactNode;
}

/** A button with a text. */
export function Button({ kind = 'plain', icon, children, ...rest }: Props) {
  return (
    <button type="button" className="button" data-kind={kind} {...rest}>
      {icon}
      {children}
    </button>
  );
}
