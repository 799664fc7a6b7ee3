import type { PrintedStroke } from '../../renderer/keys/window-keys.ts';

/** A key press in the page, by the key's code. No modifier is held unless `held` says so. */
export const stroke = (code: string, held: Partial<PrintedStroke> = {}): PrintedStroke => ({
  code,
  key: code.replace(/^Key/, '').toLowerCase(),
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...held,
});
