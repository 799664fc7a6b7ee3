import type { ComponentProps } from 'react';
import { maxConfigLetters } from '../../../shared/settings/config-fields.ts';
import type { RowAria } from '../../design/row.tsx';
import './further-fields.css';

interface Props extends RowAria, Pick<ComponentProps<'textarea'>, 'aria-invalid' | 'onBlur'> {
  readonly value: string;
  readonly write: (text: string) => void;
}

/** Fields of `config`, as a JSON object. */
export function FurtherFields({ write, ...rest }: Props) {
  return (
    <textarea
      {...rest}
      className="text-field further-fields"
      dir="ltr"
      rows={3}
      maxLength={maxConfigLetters}
      spellCheck={false}
      placeholder={'{ "length_penalty": 1.1 }'}
      onChange={({ target }) => {
        write(target.value);
      }}
    />
  );
}
