import { useId } from 'react';
import { ChevronDown } from 'lucide-react';

interface Props {
  readonly name: string;
  readonly hint?: string;
  readonly value: string;
  /** Each with what it is called. */
  readonly choices: readonly (readonly [value: string, name: string])[];
  readonly choose: (value: string) => void;
}

/** One of many, folded away behind what it is now. */
export function FoldedChoice({ name, hint, value, choices, choose }: Props) {
  const group = useId();
  const now = choices.find(([one]) => one === value)?.[1] ?? '';
  return (
    <details className="folded-choice">
      <summary>
        <span>{name}</span>
        <span className="folded-now" dir="auto">
          {now}
        </span>
        <ChevronDown aria-hidden />
      </summary>
      <div role="radiogroup" aria-label={name}>
        {choices.map(([one, called]) => (
          <label key={one} className="more-mode">
            <input
              type="radio"
              name={group}
              checked={one === value}
              onChange={() => {
                choose(one);
              }}
            />
            <span dir="auto">{called}</span>
          </label>
        ))}
      </div>
      {hint !== undefined && <p className="folded-hint">{hint}</p>}
    </details>
  );
}
