import { useEffect, useState } from 'react';

/**
 * Copies by the old command: the window allows pages no clipboard, and this one
 * needs no permission where a person has just clicked.
 */
export function copyText(text: string): boolean {
  const before = document.activeElement;
  const place = document.createElement('textarea');
  place.className = 'only-heard';
  place.value = text;
  document.body.append(place);
  place.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the one way without a permission
  const copied = document.execCommand('copy');
  place.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}

const shownMs = 2000;

/** Whether something was copied a moment ago, for the button that did it. */
export function useCopied(): { readonly copied: boolean; readonly setCopied: () => void } {
  const [since, setSince] = useState<object>();
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setTimeout(() => setSince(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [since]);
  return { copied: since !== undefined, setCopied: () => setSince({}) };
}
