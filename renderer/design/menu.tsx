import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import './layers.css';

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly side?: 'top' | 'bottom';
  readonly opened?: () => void;
  /** Before the keyboard goes back to the button, which may be prevented. */
  readonly closing?: (event: Event) => void;
}

/** Not modal: the talk goes on around it, and nothing else of the page is frozen. */
export function Menu({ trigger, children, side = 'bottom', opened, closing }: MenuProps) {
  return (
    <DropdownMenu.Root
      modal={false}
      onOpenChange={(open) => {
        if (open) opened?.();
      }}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        className="menu"
        side={side}
        sideOffset={8}
        collisionPadding={8}
        {...(closing === undefined ? {} : { onCloseAutoFocus: closing })}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  readonly icon: LucideIcon;
  readonly run: () => void;
  readonly children: string;
}

/** Something to be done. */
export function MenuItem({ icon: Icon, run, children }: ItemProps) {
  return (
    <DropdownMenu.Item className="menu-item" onSelect={run}>
      <span className="menu-icon">
        <Icon aria-hidden />
      </span>
      {children}
    </DropdownMenu.Item>
  );
}

interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly value: Value;
  readonly choices: Readonly<Record<Value, string>>;
  readonly choose: (value: Value) => void;
}

/** One of several, under a heading. */
export function MenuChoice<Value extends string>({
  name,
  value,
  choices,
  choose,
}: ChoiceProps<Value>) {
  const values = Object.keys(choices) as readonly string[] as readonly Value[];
  return (
    <DropdownMenu.RadioGroup
      value={value}
      aria-label={name}
      onValueChange={(chosen) => choose(chosen as Value)}
    >
      <DropdownMenu.Label className="menu-heading">{name}</DropdownMenu.Label>
      {values.map((choice) => (
        <DropdownMenu.RadioItem key={choice} value={choice} className="menu-item">
          <DropdownMenu.ItemIndicator className="menu-check">
            <Check aria-hidden />
          </DropdownMenu.ItemIndicator>
          {choices[choice]}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/**
 * A closing menu gives the keyboard back to its button. Where an item of it opened a field, the field has the
 * keyboard by then and keeps it: the item says so before.
 */
export function useKeepKeyboard() {
  const keeps = useRef(false);
  return {
    keep: (): void => {
      keeps.current = true;
    },
    /** For the menu. */
    closing: (event: Event): void => {
      if (keeps.current) event.preventDefault();
      keeps.current = false;
    },
  };
}
