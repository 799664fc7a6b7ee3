import { type LucideIcon, X, Search } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import {
  type ComponentProps,
  type ReactNode,
  type KeyboardEvent,
  type RefObject,
  useId,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import './controls.css';
import './layers.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /** `strong`: the main action. `quiet`: optional. `danger`: cannot be undone. */
  readonly kind?: 'strong' | 'plain' | 'quiet' | 'danger';
  readonly icon?: ReactNode;
}

export function Button({ kind = 'plain', icon, children, ...rest }: ButtonProps) {
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

interface SwitchProps extends Omit<ComponentProps<'button'>, 'className' | 'children' | 'onClick'> {
  readonly on: boolean;
  readonly onSwitch: (on: boolean) => void;
}

export function Switch({ on, onSwitch, ...rest }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={on}
      onClick={() => onSwitch(!on)}
      {...rest}
    >
      <span className="switch-track" />
    </button>
  );
}

interface SegmentsProps<Value extends string> extends Omit<
  ComponentProps<'div'>,
  'className' | 'children' | 'role'
> {
  readonly value: Value;
  readonly choices: Readonly<Record<Value, string>>;
  readonly onChoose: (value: Value) => void;
}

export function Segments<Value extends string>({
  value,
  choices,
  onChoose,
  ...rest
}: SegmentsProps<Value>) {
  const group = useId();
  const values = Object.keys(choices) as readonly string[] as readonly Value[];
  return (
    <div role="radiogroup" className="segments" {...rest}>
      {values.map((each) => (
        <label key={each} className="segment">
          <input
            type="radio"
            name={group}
            value={each}
            checked={each === value}
            onChange={() => onChoose(each)}
          />
          <span>{choices[each]}</span>
        </label>
      ))}
    </div>
  );
}

declare module 'react' {
  interface CSSProperties {
    /** Filled share of the slider track, in [0, 1]. */
    readonly '--filled'?: number;
  }
}

interface SliderProps extends Omit<
  ComponentProps<'input'>,
  'className' | 'type' | 'onChange' | 'value'
> {
  readonly value: number;
  readonly onValueChange: (value: number) => void;
  readonly valueText: string;
}

export function Slider({ value, onValueChange, valueText, ...rest }: SliderProps) {
  const { min = 0, max = 100 } = rest;
  const filled = (value - Number(min)) / (Number(max) - Number(min));
  return (
    <span className="slider">
      <input
        type="range"
        value={value}
        style={{ '--filled': filled }}
        aria-valuetext={valueText}
        onChange={({ target }) => onValueChange(target.valueAsNumber)}
        {...rest}
      />
      <output aria-hidden>{valueText}</output>
    </span>
  );
}

interface TextInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly onWrite: (text: string) => void;
}

/** A text field without spell check and autofill, for names, addresses and values that only the server knows. */
export function TextInput({ onWrite, className = '', ...rest }: TextInputProps) {
  return (
    <input
      type="text"
      className={`text-field ${className}`.trim()}
      spellCheck={false}
      autoComplete="off"
      {...rest}
      onChange={({ target }) => onWrite(target.value)}
    />
  );
}

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange'> {
  readonly onWrite: (text: string) => void;
}

export function TextArea({ onWrite, className = '', ...rest }: TextAreaProps) {
  return (
    <textarea
      className={`text-field ${className}`.trim()}
      dir="auto"
      {...rest}
      onChange={({ target }) => onWrite(target.value)}
    />
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly clearLabel: string;
  readonly query: string;
  readonly onSearch: (query: string) => void;
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly keyShortcuts?: string;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** A search field. Escape and a button clear it and keep the focus. */
export function SearchField({
  label,
  clearLabel,
  query,
  onSearch,
  field,
  keyShortcuts,
  onKeyDown,
}: SearchFieldProps) {
  const ownField = useRef<HTMLInputElement>(null);
  const ref = field ?? ownField;
  return (
    <div className="search-field" role="search">
      <Search aria-hidden />
      <input
        ref={ref}
        type="text"
        aria-label={label}
        placeholder={label}
        aria-keyshortcuts={keyShortcuts}
        dir="auto"
        maxLength={1000}
        value={query}
        onChange={({ target }) => onSearch(target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          onKeyDown?.(event);
          if (event.key !== 'Escape' || query === '') return;
          event.preventDefault();
          onSearch('');
        }}
      />
      {query !== '' && (
        <IconButton
          icon={X}
          label={clearLabel}
          onClick={() => {
            onSearch('');
            ref.current?.focus();
          }}
        />
      )}
    </div>
  );
}

export interface CompositionKey {
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** Key code of a key during composition. Some engines end the composition before they report its last key. */
const composingCode = 229;

/** Whether a key belongs to the input method. Escape then discards only the letters that are being composed. */
export function isComposing({ isComposing: isOpen, keyCode }: CompositionKey): boolean {
  return isOpen || keyCode === composingCode;
}

/** Runs the action of a form; by itself the browser would load another page. */
export function handleSubmit(run: () => unknown): (event: { preventDefault: () => void }) => void {
  return (event) => {
    event.preventDefault();
    void run();
  };
}

interface NoteProps {
  readonly kind: 'plain' | 'warn' | 'bad';
  readonly children: ReactNode;
  readonly onDismiss?: () => void;
}

export function Note({ kind, children, onDismiss }: NoteProps) {
  const { t } = useTranslation();
  return (
    <div ref={passFocusOn} className="note" data-kind={kind}>
      <p dir="auto">{children}</p>
      {onDismiss !== undefined && (
        <IconButton icon={X} label={t('shell.dismiss')} onClick={onDismiss} />
      )}
    </div>
  );
}

/** The index of an element among the children of its parent, and so on for each ancestor, the nearest first. */
export type FocusPlace = readonly { readonly parent: Element; readonly index: number }[];

export function placeOf(element: Element): FocusPlace {
  const { parentElement: parent } = element;
  if (parent === null) return [];
  return [{ parent, index: [...parent.children].indexOf(element) }, ...placeOf(parent)];
}

const controlSelector = 'button, a[href], input, textarea, summary';

/**
 * After a control disappeared, focuses the one that took its place, else the next one, else the one before. The browser
 * would drop the focus, and keyboard users would start again at the top of the window. Undo is left out, because the
 * deletion waits for as long as it has the focus.
 */
export function focusFrom(place: FocusPlace | undefined): void {
  if (document.activeElement !== document.body) return;
  const left = place?.find(({ parent }) => parent.isConnected);
  if (left === undefined) return;
  const { parent, index } = left;
  const start = parent.children[index];
  const isAfter = (control: Element): boolean =>
    start === undefined
      ? !parent.contains(control) && follows(parent, control)
      : start.contains(control) || follows(start, control);
  const controls = [...document.querySelectorAll<HTMLElement>(controlSelector)].filter(
    (control) =>
      control.tabIndex >= 0 &&
      control.matches(':enabled, a, summary') &&
      control.closest('.undo') === null &&
      control.checkVisibility(),
  );
  const next = controls.find(isAfter) ?? controls.at(-1);
  next?.focus();
  if (next !== undefined) ignoreHeldKey(next);
}

/** A key that is still held down pressed the control before. Its repetitions must not press this one, too. */
function ignoreHeldKey(control: HTMLElement): void {
  const over = new AbortController();
  const { signal } = over;
  const ignoreRepeat = (event: globalThis.KeyboardEvent): void => {
    if (!event.repeat) return over.abort();
    event.preventDefault();
    event.stopPropagation();
  };
  control.addEventListener('keydown', ignoreRepeat, { signal });
  // A key that is held down later may pass this control.
  control.addEventListener('blur', () => over.abort(), { signal });
}

function follows(element: Element, other: Element): boolean {
  return (element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** A `ref` for an element that can disappear while it has the focus. */
export function passFocusOn(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined;
  return () => {
    if (!element.contains(document.activeElement)) return;
    const place = placeOf(element);
    queueMicrotask(() => focusFrom(place));
  };
}

const passFocusTo = (selector: string) => (element: HTMLElement | null) => {
  if (element === null) return undefined;
  return (): void => {
    if (element.contains(document.activeElement)) queueMicrotask(() => focusIfLost(selector));
  };
};

/** A `ref` for a screen: if it goes with the focus, the next screen gets it. */
export const passFocusToScreen = passFocusTo('.shell-screen main');

/** A `ref` for a part of the Talk screen that goes when the phase of the talk changes. */
export const passFocusToDock = passFocusTo('.dock');

/** A `ref` for a button that goes when it is pressed: the messages take its focus, because there a second Enter does nothing. */
export const passFocusToTurns = passFocusTo('.turn-scroller');

/** Focuses an element that is no control, unless a control has the focus. */
export function focusIfLost(selector: string): void {
  const target = document.querySelector<HTMLElement>(selector);
  const isLost = document.activeElement?.matches('body, main, .dock') ?? true;
  if (target === null || !isLost) return;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** A `ref` for a part whose controls change: the part takes the focus of a control that is gone. */
export function takeLostFocus(part: HTMLElement | null): void {
  if (part === null) return;
  part.tabIndex = -1;
  let focused: EventTarget | null = null;
  part.addEventListener('focusin', ({ target }) => {
    focused = target;
  });
  new MutationObserver(() => {
    if (!(focused instanceof Element) || focused.isConnected) return;
    focused = null;
    if (document.activeElement === document.body) part.focus({ preventScroll: true });
  }).observe(part, { childList: true, subtree: true });
}

/** The text that stays in a field whose text was sent: what the user typed after it meanwhile. */
export function textAfterSending(current: string, sent: string): string {
  return current.startsWith(sent) ? current.slice(sent.length).trimStart() : current;
}
