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
