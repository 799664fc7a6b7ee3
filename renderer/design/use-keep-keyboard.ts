import { useRef } from 'react';

/**
 * A closing menu gives the keyboard back to its button. Where an item of it opened a field, the field has the
 * keyboard by then and keeps it: the item says so before.
 */
export function useKeepKeyboard() {
  const keeps = useRef(false);
  return {
    keep: (): void => {
      keeps.current = true;
    },
    /** For the menu. */
    closing: (event: Event): void => {
      if (keeps.current) event.preventDefault();
      keeps.current = false;
    },
  };
}
