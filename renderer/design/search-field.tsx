import { Search, X } from 'lucide-react';
import { useRef } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import './fields.css';
import { IconButton } from './icon-button.tsx';

interface Props {
  readonly label: string;
  readonly clearLabel: string;
  readonly query: string;
  readonly search: (query: string) => void;
  /** For whoever gives it the keyboard. */
  readonly field?: RefObject<HTMLInputElement | null>;
  /** The keys that lead here, as a screen reader is told of them. */
  readonly keyShortcuts?: string;
  readonly pressed?: (event: KeyboardEvent) => void;
}

/** What is looked for; Escape and a button clear it, and the keyboard stays here. */
export function SearchField({
  label,
  clearLabel,
  query,
  search,
  field,
  keyShortcuts,
  pressed,
}: Props) {
  const own = useRef<HTMLInputElement>(null);
  const ref = field ?? own;
  return (
    <div className="search-field" role="search">
      <Search aria-hidden />
      <input
        ref={ref}
        type="text"
        aria-label={label}
        placeholder={label}
        aria-keyshortcuts={keyShortcuts}
        dir="auto"
        maxLength={1000}
        value={query}
        onChange={({ target }) => {
          search(target.value);
        }}
        onKeyDown={(event) => {
          // Keys of whoever is still writing a word in an input method are that one's.
          if (event.nativeEvent.isComposing) return;
          pressed?.(event);
          if (event.key !== 'Escape' || query === '') return;
          event.preventDefault();
          search('');
        }}
      />
      {query !== '' && (
        <IconButton
          icon={X}
          label={clearLabel}
          onClick={() => {
            search('');
            ref.current?.focus();
          }}
        />
      )}
    </div>
  );
}
