import { type ReactNode, type Ref, useId } from 'react';
import './row.css';

/** What a control in a row is called and described by. */
export interface RowAria {
  readonly id: string;
  readonly 'aria-labelledby': string;
  readonly 'aria-describedby': string;
}

interface Props {
  readonly title: string;
  readonly about: string;
  /** What is wrong with it, in a sentence. */
  readonly problem?: string | undefined;
  /** The control needs the whole width and stands below. */
  readonly wide?: boolean;
  readonly ref?: Ref<HTMLDivElement>;
  readonly children: (aria: RowAria) => ReactNode;
}

/** One thing that can be set: what it is called, what it does, the control, and what is wrong. */
export function Row({ title, about, problem, wide = false, ref, children }: Props) {
  const id = useId();
  return (
    <div className="row" data-wide={wide} ref={ref}>
      <div className="row-words">
        <label id={`${id}-name`} htmlFor={id} className="row-name">
          {title}
        </label>
        <p id={`${id}-hint`} className="row-hint">
          {about}
        </p>
      </div>
      <div className="row-control">
        {children({
          id,
          'aria-labelledby': `${id}-name`,
          'aria-describedby': `${id}-hint ${id}-problem`,
        })}
      </div>
      <p id={`${id}-problem`} className="row-problem" role="alert" dir="auto">
        {problem}
      </p>
    </div>
  );
}

/** One name with its value, inside a `dl`. */
export function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
