import type { PrintedStroke } from '../../renderer/keys/window-keys.ts';

/** A key of the page by its code, alone unless other keys are held. */
export const stroke = (code: string, held: Partial<PrintedStroke> = {}): PrintedStroke => ({
  code,
  key: code.replace(/^Key/, '').toLowerCase(),
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...held,
});
