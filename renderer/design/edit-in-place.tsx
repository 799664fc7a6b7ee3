import {
  type ChangeEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import {
  type CompositionKey,
  focusFrom,
  type FocusPlace,
  isComposing,
  placeOf,
} from './controls.tsx';

interface TitleFieldProps {
  readonly label: string;
  readonly title: string;
  readonly onRename: (title: string) => void;
  readonly onEnd: () => void;
}

export function TitleField({ label, title, onRename, onEnd }: TitleFieldProps) {
  const field = useInlineEdit(title, onEnd, (name) => {
    if (name.trim() !== '' && name !== title) onRename(name);
  });
  return (
    <input
      {...field}
      ref={focusAndSelect}
      className="title-field"
      type="text"
      aria-label={label}
      dir="auto"
      maxLength={200}
    />
  );
}

function focusAndSelect(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}

interface PhraseFieldProps {
  readonly label: string;
  readonly words: string;
  /** The first text of the field, if not `words`. */
  readonly typed?: string | undefined;
  readonly maxLength?: number;
  /** The text may be empty. */
  readonly onSubmit: (words: string) => void;
  readonly onEnd: (end: EditEnd) => void;
}

/** `left`: by blur, without a change. */
type EditEnd = 'submitted' | 'cancelled' | 'left';

export function PhraseField({
  label,
  words,
  typed = words,
  maxLength = 10_000,
  onSubmit,
  onEnd,
}: PhraseFieldProps) {
  const field = useInlineEdit(typed, onEnd, (text) => {
    if (text.trim() !== words) onSubmit(text.trim());
  });
  return (
    <textarea
      {...field}
      ref={focusEnd}
      className="words-field"
      aria-label={label}
      dir="auto"
      maxLength={maxLength}
      rows={1}
    />
  );
}

interface TextTransfer {
  readonly preventDefault: () => void;
}

/** Handlers of a field that refuse a pasted or dropped text. The field would crash the page with a text of many megabytes. */
export function refuseLongText(accepts: (text: string) => boolean) {
  const check = (event: TextTransfer, transfer: DataTransfer): void => {
    if (!accepts(transfer.getData('text/plain'))) event.preventDefault();
  };
  return {
    onPaste: (event: TextTransfer & { readonly clipboardData: DataTransfer }) =>
      check(event, event.clipboardData),
    onDrop: (event: TextTransfer & { readonly dataTransfer: DataTransfer }) =>
      check(event, event.dataTransfer),
  };
}

/** Beyond this, fitting the height and finding each paragraph's direction would slow down every key stroke. */
const maxFittedCharacters = 10_000;
/** A letter of a script that is written from right to left. */
const leftwardLetter = /^[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;

/** Attributes of a field that may hold a long text. Such a text has one direction, and the field its largest height. */
export function fitText(text: string) {
  const isLong = text.length > maxFittedCharacters;
  const letter = isLong ? (/\p{L}/u.exec(text)?.[0] ?? '') : '';
  const direction = leftwardLetter.test(letter) ? 'rtl' : 'ltr';
  return { dir: isLong ? direction : 'auto', 'data-long': isLong } as const;
}

export function focusEnd(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}

/** Enter or blur submits, Escape cancels. Either ends the edit, once. A field that disappears meanwhile submits what was typed. */
function useInlineEdit(
  initial: string,
  onEnd: (end: EditEnd) => void,
  onSubmit: (text: string) => void,
) {
  const [first] = useState(initial);
  const [value, setValue] = useState(initial);
  const isFinished = useRef(false);
  const place = useRef<FocusPlace>(undefined);
  const submitOnUnmount = useEffectEvent(() => {
    if (!isFinished.current && value !== first) onSubmit(value);
  });
  useEffect(
    () => () => {
      submitOnUnmount();
      focusFrom(place.current);
    },
    [],
  );
  const finish = (end: EditEnd): void => {
    if (isFinished.current) return;
    isFinished.current = true;
    if (end === 'submitted') onSubmit(value);
    onEnd(end);
  };
  return {
    value,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setValue(target.value),
    onBlur: () => finish(value === first ? 'left' : 'submitted'),
    onKeyDown: (event: KeyboardEvent) => {
      if (isSendKey(event)) {
        event.preventDefault();
        place.current = placeOf(event.currentTarget);
        finish('submitted');
      }
      if (event.key !== 'Escape') return;
      // The page must not use this Escape too. A surrounding sheet leaves it to the field.
      event.stopPropagation();
      if (isComposing(event.nativeEvent)) return;
      place.current = placeOf(event.currentTarget);
      finish('cancelled');
    },
  };
}

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly nativeEvent: CompositionKey;
}

/** Whether Enter submits. Shift+Enter adds a line, and Enter during composition picks a word. */
export function isSendKey({ key, shiftKey, altKey, nativeEvent }: Key): boolean {
  return key === 'Enter' && !shiftKey && !altKey && !isComposing(nativeEvent);
}
