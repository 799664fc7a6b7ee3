import { useEffect } from 'react';
import type { RefObject } from 'react';
import { overlaySelector, textInputSelector } from '../../keys/focus-selectors.ts';

/** Ctrl+F, and a slash where nothing is being written, lead to the search. */
export function useHistoryKeys(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      if (event.defaultPrevented || event.isComposing || altKey) return;
      const finds = (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === 'f';
      const writes = target instanceof Element && target.closest(textInputSelector) !== null;
      const slash = key === '/' && !ctrlKey && !metaKey && !writes;
      if (!finds && !slash) return;
      if (document.querySelector(overlaySelector) !== null) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [field]);
}
