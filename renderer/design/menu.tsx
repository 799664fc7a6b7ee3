import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import './layers.css';

interface MenuProps {
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly side?: 'top' | 'bottom';
  readonly onOpen?: () => void;
  /** Called before the focus returns to the button; it can prevent that. */
  readonly onCloseAutoFocus?: (event: Event) => void;
}

/** Not modal, so the rest of the page stays usable during a talk. */
export function Menu({ trigger, children, side = 'bottom', onOpen, onCloseAutoFocus }: MenuProps) {
  return (
    <DropdownMenu.Root
      modal={false}
      onOpenChange={(open) => {
        if (open) onOpen?.();
      }}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        className="menu"
        side={side}
        sideOffset={8}
        collisionPadding={8}
        {...(onCloseAutoFocus === undefined ? {} : { onCloseAutoFocus })}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  readonly icon: LucideIcon;
  readonly onSelect: () => void;
  readonly children: string;
}

export function MenuItem({ icon: Icon, onSelect, children }: ItemProps) {
  return (
    <DropdownMenu.Item className="menu-item" onSelect={onSelect}>
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
  readonly onChoose: (value: Value) => void;
}

export function MenuChoice<Value extends string>({
  name,
  value,
  choices,
  onChoose,
}: ChoiceProps<Value>) {
  const values = Object.keys(choices) as readonly string[] as readonly Value[];
  return (
    <DropdownMenu.RadioGroup
      value={value}
      aria-label={name}
      onValueChange={(chosen) => onChoose(chosen as Value)}
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

/** Lets an item keep the focus, for a field that it opens, when the menu closes. */
export function useKeepFocus() {
  const keepsFocus = useRef(false);
  return {
    keep: (): void => {
      keepsFocus.current = true;
    },
    /** Pass this to `Menu`. */
    onCloseAutoFocus: (event: Event): void => {
      if (keepsFocus.current) event.preventDefault();
      keepsFocus.current = false;
    },
  };
}
