import type { ComponentProps } from 'react';
import './fields.css';

declare module 'react' {
  interface CSSProperties {
    /** How much of its track a slider has behind it, from 0 to 1. */
    readonly '--filled'?: number;
  }
}

interface Props extends Omit<ComponentProps<'input'>, 'className' | 'type' | 'onChange' | 'value'> {
  readonly value: number;
  readonly setValue: (value: number) => void;
  /** The value as people read it. */
  readonly shown: string;
}

/** A number between two ends, with the number beside it. */
export function Slider({ value, setValue, shown, ...rest }: Props) {
  const { min = 0, max = 100 } = rest;
  const filled = (value - Number(min)) / (Number(max) - Number(min));
  return (
    <span className="slider">
      <input
        type="range"
        value={value}
        style={{ '--filled': filled }}
        aria-valuetext={shown}
        onChange={({ target }) => {
          setValue(target.valueAsNumber);
        }}
        {...rest}
      />
      <output aria-hidden>{shown}</output>
    </span>
  );
}
