import { useRef, useState } from 'react';
import { isSendKey } from '../chat/composer/send-key.ts';
import './title-field.css';

interface Props {
  readonly label: string;
  readonly title: string;
  readonly rename: (title: string) => void;
  readonly end: () => void;
}

/** A new name; Enter or going elsewhere takes it, Escape leaves the old one. */
export function TitleField({ label, title, rename, end }: Props) {
  const [name, setName] = useState(title);
  const over = useRef(false);
  const finish = (take: boolean): void => {
    if (over.current) return;
    over.current = true;
    if (take && name.trim() !== '' && name !== title) rename(name);
    end();
  };
  return (
    <input
      ref={focusAll}
      className="title-field"
      type="text"
      aria-label={label}
      dir="auto"
      maxLength={200}
      value={name}
      onChange={({ target }) => {
        setName(target.value);
      }}
      onBlur={() => {
        finish(true);
      }}
      onKeyDown={(event) => {
        if (isSendKey(event)) finish(true);
        if (event.key !== 'Escape') return;
        // The drawer around it stays.
        event.stopPropagation();
        finish(false);
      }}
    />
  );
}

function focusAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
