import type { ReactNode } from 'react';

interface Props {
  readonly group: string;
  readonly name: string;
  readonly text?: string;
  readonly checked: boolean;
  readonly choose: () => void;
  readonly lang?: string;
  readonly children?: ReactNode;
}

/** One of several, as a line that is as wide as the page. */
export function Choice({ group, name, text, checked, choose, lang, children }: Props) {
  return (
    <div className="choice" data-checked={checked}>
      <label lang={lang}>
        <input type="radio" name={group} checked={checked} onChange={choose} />
        <span className="choice-name">{name}</span>
        {text !== undefined && <span className="choice-text">{text}</span>}
      </label>
      {checked && children}
    </div>
  );
}
