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

interface PlainIconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Shown under the icon as well, not only to those who point at it or listen. */
  readonly labelled?: boolean;
  readonly strokeWidth?: number;
}

/** A button that is an icon, without a tip: for what opens something beside it. */
export function PlainIconButton(props: PlainIconButtonProps) {
  const { icon: Icon, label, labelled = false, strokeWidth = 1.75, ...rest } = props;
  return (
    <button type="button" className="icon-button" aria-label={label} {...rest}>
      <Icon strokeWidth={strokeWidth} aria-hidden />
      {labelled && (
        <span className="label" aria-hidden>
          {label}
        </span>
      )}
    </button>
  );
}

interface IconButtonProps extends PlainIconButtonProps {
  /** More than the label says, for example the key. */
  readonly hint?: string | undefined;
}

/** A button that is an icon; its name is in the tip, and always there for those who listen. */
export function IconButton({ hint, ...rest }: IconButtonProps) {
  return (
    <Tip text={hint === undefined ? rest.label : `${rest.label} · ${hint}`}>
      <PlainIconButton {...rest} />
    </Tip>
  );
}

/** Of a sheet. It has no tip: what opens gives it the keyboard, and the first Escape would go to the tip. */
export function CloseButton(props: Pick<PlainIconButtonProps, 'label' | 'onClick'>) {
  return <PlainIconButton icon={X} {...props} />;
}

/** Says what something is called, when it is pointed at or reached by keyboard. */
function Tip({ text, children }: { readonly text: string; readonly children: ReactNode }) {
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
