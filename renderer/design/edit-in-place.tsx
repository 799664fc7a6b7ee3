import { useRef, useState } from 'react';
import './edit-in-place.css';

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

interface WordsFieldProps {
  readonly label: string;
  readonly words: string;
  /** Perhaps none. */
  readonly take: (words: string) => void;
  readonly end: () => void;
}

/** Words that are put right; Enter or going elsewhere takes them, Escape leaves what there was. */
export function WordsField({ label, words, take, end }: WordsFieldProps) {
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

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly nativeEvent: { readonly isComposing: boolean; readonly keyCode: number };
}

/** Some engines end a composition before they report the key that ended it; this is its code. */
const composingCode = 229;

/** Enter sends; with Shift it is a new line, and while a word is being composed it chooses that word. */
export function isSendKey({ key, shiftKey, altKey, nativeEvent }: Key): boolean {
  if (key !== 'Enter' || shiftKey || altKey) return false;
  return !nativeEvent.isComposing && nativeEvent.keyCode !== composingCode;
}
