import { heldModifiers } from '../../shared/keys/key-chord.ts';
import type { KeyStroke } from '../../shared/keys/key-chord.ts';

/** Why a key cannot be one of Parley's. */
export type KeyFault = 'empty' | 'moves' | 'presses' | 'system' | 'typing';

const moving = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);
/** With Control, browsers and windows keep these for themselves. */
const closing = new Set(['KeyW', 'KeyT', 'KeyN', 'KeyQ', 'KeyR', 'KeyL']);
const ofTheSystem = new Set(['F5', 'F11', 'F12', 'PrintScreen', 'Power', 'Sleep', 'ContextMenu']);

/** Keys that mean something else everywhere, or that never arrive while the window is not alone. */
export function keyFault(stroke: KeyStroke): KeyFault | undefined {
  const { code } = stroke;
  const held = heldModifiers(stroke);
  if (code === '' || code === 'Unidentified') return 'empty';
  if (moving.has(code)) return 'moves';
  if (code === 'Enter' || code === 'NumpadEnter') return 'presses';
  if (held.includes('Meta') || code.startsWith('Meta') || code.startsWith('OS')) return 'system';
  if (ofTheSystem.has(code) || (code === 'F4' && held.includes('Alt'))) return 'system';
  return held.includes('Control') && closing.has(code) ? 'system' : undefined;
}

/** A key that is pressed while something is written elsewhere would open the microphone all the time. */
export function globalKeyFault(stroke: KeyStroke): KeyFault | undefined {
  const held = heldModifiers(stroke);
  const alone = held.every((modifier) => modifier === 'Shift');
  return keyFault(stroke) ?? (alone && writing.test(stroke.code) ? 'typing' : undefined);
}

const writing =
  /^(Key.|Digit.|Numpad.+|Space|Backspace|Delete|Home|End|PageUp|PageDown|Insert|Minus|Equal|Bracket.+|Backslash|Semicolon|Quote|Backquote|Comma|Period|Slash|Intl.+|Shift.+|CapsLock|Escape)$/;
