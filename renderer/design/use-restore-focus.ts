import { useRef } from 'react';

const sheets = '[role="dialog"]';

/** Who had the keyboard before the first of the layers that stand open or follow one another. */
let owner: Element | null = null;

/**
 * OpenedStream by a key a layer has no button to give the keyboard back to, so it remembers who had it. One that
 * takes another's place gives it back to whom that one had it from.
 */
export function useRestoreFocus() {
  const before = useRef<Element>(null);
  return {
    onOpenAutoFocus: () => {
      const now = document.activeElement;
      const took = now === null || now === document.body || now.closest(sheets) !== null;
      before.current = took ? (owner ?? now) : now;
      owner = before.current;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (document.querySelector(sheets) !== null) return;
      owner = null;
      if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
