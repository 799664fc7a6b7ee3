import { type LucideIcon, X } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import './button.css';
import './layers.css';

interface Props extends Omit<ComponentProps<'button'>, 'className'> {
  /** `strong`: the main action. `quiet`: optional. `danger`: cannot be undone. */
  readonly kind?: 'strong' | 'plain' | 'quiet' | 'danger';
  readonly icon?: ReactNode;
}

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
  readonly labelled?: boolean;
  readonly strokeWidth?: number;
}

/** An icon button without a tooltip, for menus and panels. */
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
  /** Added to the tooltip, such as a key. */
  readonly hint?: string | undefined;
}

export function IconButton({ hint, ...rest }: IconButtonProps) {
  return (
    <Tip text={hint === undefined ? rest.label : `${rest.label} · ${hint}`}>
      <PlainIconButton {...rest} />
    </Tip>
  );
}

/** Closes a sheet. It has no tooltip: the sheet focuses it, and the first Escape would close the tooltip. */
export function CloseButton(props: Pick<PlainIconButtonProps, 'label' | 'onClick'>) {
  return <PlainIconButton icon={X} {...props} />;
}

function Tip({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        asChild
        onFocus={(event) => {
          // A closed sheet or a refocused window returns the focus to the button. Only keyboard navigation shows the
          // tooltip.
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

/** The last input; `return` means that the window just got the focus back. */
let lastInputKind: 'pointer' | 'keyboard' | 'return' = 'keyboard';

if (typeof window !== 'undefined') {
  const listenerOptions = { capture: true, passive: true };
  window.addEventListener('pointerdown', () => (lastInputKind = 'pointer'), listenerOptions);
  window.addEventListener('keydown', () => (lastInputKind = 'keyboard'), listenerOptions);
  window.addEventListener('focus', ({ target }) => {
    if (target === window) lastInputKind = 'return';
  });
}

const lastInput = (): typeof lastInputKind => lastInputKind;
