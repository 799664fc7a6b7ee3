import { useEffect, useState } from 'react';

/** Copies with `execCommand`. Pages have no permission for the clipboard API, and this needs only a recent click. */
export function copyText(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.className = 'visually-hidden';
  field.value = text;
  document.body.append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way without a permission
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}

const shownMs = 2000;

/** True for two seconds after `setCopied`. */
export function useCopied(): { readonly copied: boolean; readonly setCopied: () => void } {
  const [since, setSince] = useState<object>();
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setTimeout(() => setSince(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [since]);
  return { copied: since !== undefined, setCopied: () => setSince({}) };
}
