import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { Menu, MenuChoice } from './menu.tsx';
import './fields.css';

interface Props<Value extends string> {
  readonly value: Value;
  readonly choices: Readonly<Record<Value, string>>;
  /** What stands there where the value is none of the choices. */
  readonly otherwise?: string;
  readonly choose: (value: Value) => void;
  /** What is picked. */
  readonly called: string;
  readonly labelledBy?: string | undefined;
  readonly describedBy?: string | undefined;
}

/** One of many: a button that says which, and a menu with all of them. */
export function Picker<Value extends string>(props: Props<Value>) {
  const { value, choices, otherwise, choose, called, labelledBy, describedBy } = props;
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
            {Object.hasOwn(choices, value) ? choices[value] : (otherwise ?? value)}
          </span>
          <ChevronDown aria-hidden />
        </button>
      }
    >
      <MenuChoice name={called} value={value} choices={choices} choose={choose} />
    </Menu>
  );
}
