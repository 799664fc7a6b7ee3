import { ChevronDown, Search, X } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, type RefObject, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import { Menu, MenuChoice } from './layers.tsx';
import './fields.css';

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'children' | 'onClick'> {
  readonly on: boolean;
  readonly onSwitch: (on: boolean) => void;
}

export function Switch({ on, onSwitch, ...rest }: Props) {
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

interface PickerProps<Value extends string> {
  readonly value: Value;
  readonly choices: Readonly<Record<Value, string>>;
  /** Shown if the value is not among the choices. */
  readonly fallback?: string;
  readonly onChoose: (value: Value) => void;
  readonly label: string;
  readonly labelledBy?: string | undefined;
  readonly describedBy?: string | undefined;
}

/** A button that shows the choice and opens a menu with all of them. */
export function Picker<Value extends string>(props: PickerProps<Value>) {
  const { value, choices, fallback, onChoose, label, labelledBy, describedBy } = props;
  const id = useId();
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="picker"
          aria-labelledby={labelledBy === undefined ? undefined : `${labelledBy} ${id}`}
          aria-describedby={describedBy}
        >
          <span id={id} className="picker-value">
            {Object.hasOwn(choices, value) ? choices[value] : (fallback ?? value)}
          </span>
          <ChevronDown aria-hidden />
        </button>
      }
    >
      <MenuChoice name={label} value={value} choices={choices} onChoose={onChoose} />
    </Menu>
  );
}

interface TextInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly onWrite: (text: string) => void;
}

/** A text field without spelling and autofill, for names, addresses and server words. */
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
          // Keys belong to the input method during composition.
          if (event.nativeEvent.isComposing) return;
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

/** Runs the action of a form; by itself the browser would load another page. */
export function handleSubmit(run: () => unknown): (event: { preventDefault: () => void }) => void {
  return (event) => {
    event.preventDefault();
    void run();
  };
}
