import { useId } from 'react';
import type { ComponentProps } from 'react';
import './fields.css';

interface Props<Value extends string> extends Omit<
  ComponentProps<'div'>,
  'className' | 'children' | 'role'
> {
  readonly value: Value;
  readonly choices: Readonly<Record<Value, string>>;
  readonly choose: (value: Value) => void;
}

/** One of a few, all of them in sight. */
export function Segments<Value extends string>({ value, choices, choose, ...rest }: Props<Value>) {
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
            onChange={() => {
              choose(each);
            }}
          />
          <span>{choices[each]}</span>
        </label>
      ))}
    </div>
  );
}
