import type { ComponentProps } from 'react';
import './fields.css';

interface Props extends Omit<ComponentProps<'input'>, 'className' | 'type' | 'onChange' | 'value'> {
  readonly value: number;
  readonly setValue: (value: number) => void;
  /** The value as people read it. */
  readonly shown: string;
}

/** A number between two ends, with the number beside it. */
export function Slider({ value, setValue, shown, ...rest }: Props) {
  return (
    <span className="slider">
      <input
        type="range"
        value={value}
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
