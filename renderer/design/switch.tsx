import type { ComponentProps } from 'react';
import './fields.css';

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'children' | 'onClick'> {
  readonly on: boolean;
  readonly setOn: (on: boolean) => void;
}

/** On or off, at once. */
export function Switch({ on, setOn, ...rest }: Props) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={on}
      onClick={() => {
        setOn(!on);
      }}
      {...rest}
    >
      <span className="switch-track" />
    </button>
  );
}
