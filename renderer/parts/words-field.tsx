import { useRef, useState } from 'react';
import { isSendKey } from '../chat/composer/send-key.ts';
import './words-field.css';

interface Props {
  readonly label: string;
  readonly words: string;
  /** Perhaps none. */
  readonly take: (words: string) => void;
  readonly end: () => void;
}

/** Words that are put right; Enter or going elsewhere takes them, Escape leaves what there was. */
export function WordsField({ label, words, take, end }: Props) {
  const [text, setText] = useState(words);
  const over = useRef(false);
  const finish = (takes: boolean): void => {
    if (over.current) return;
    over.current = true;
    if (takes && text.trim() !== words) take(text.trim());
    end();
  };
  return (
    <textarea
      ref={focusEnd}
      className="words-field"
      aria-label={label}
      dir="auto"
      maxLength={10_000}
      rows={1}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
      }}
      onBlur={() => {
        finish(true);
      }}
      onKeyDown={(event) => {
        if (isSendKey(event)) {
          event.preventDefault();
          finish(true);
        }
        if (event.key !== 'Escape') return;
        // What is around it stays.
        event.stopPropagation();
        finish(false);
      }}
    />
  );
}

function focusEnd(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
