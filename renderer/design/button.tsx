import { type LucideIcon, X } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import './button.css';
import './layers.css';

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

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
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
export function IconButton({
  icon: Icon,
  label,
  labelled,
  hint,
  pressed,
  ...rest
}: IconButtonProps) {
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

interface CloseButtonProps {
  readonly label: string;
  readonly onClick: () => void;
}

/** Of a sheet. It has no tip: what opens gives it the keyboard, and the first Escape would go to the tip. */
export function CloseButton({ label, onClick }: CloseButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} onClick={onClick}>
      <X size={20} strokeWidth={1.75} aria-hidden />
    </button>
  );
}

interface TipProps {
  readonly text: string;
  readonly children: ReactNode;
}

/** Says what something is called, when it is pointed at or reached by keyboard. */
function Tip({ text, children }: TipProps) {
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

/** By what the person has last done something in this page; who has just come back to it has done nothing yet. */
let last: 'pointer' | 'keyboard' | 'return' = 'keyboard';

if (typeof window !== 'undefined') {
  const heard = { capture: true, passive: true };
  window.addEventListener('pointerdown', () => (last = 'pointer'), heard);
  window.addEventListener('keydown', () => (last = 'keyboard'), heard);
  window.addEventListener('focus', ({ target }) => {
    if (target === window) last = 'return';
  });
}

const lastInput = (): typeof last => last;
