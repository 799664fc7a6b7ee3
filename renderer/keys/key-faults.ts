import { type KeyStroke, pressedModifiers } from '../../shared/talk/global-key.ts';

/** Why a key cannot be assigned. */
export type KeyFault = 'empty' | 'navigation' | 'activation' | 'system' | 'typing';

const navigationKeys = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);
/** Browsers and windows reserve these with Control. */
const controlReserved = new Set(['KeyW', 'KeyT', 'KeyN', 'KeyQ', 'KeyR', 'KeyL']);
const systemKeys = new Set(['F5', 'F11', 'F12', 'PrintScreen', 'Power', 'Sleep', 'ContextMenu']);

/** Rejects keys with a standard meaning, and keys that the system intercepts. */
export function keyFault(stroke: KeyStroke): KeyFault | undefined {
  const { code } = stroke;
  const held = pressedModifiers(stroke);
  if (code === '' || code === 'Unidentified') return 'empty';
  if (navigationKeys.has(code)) return 'navigation';
  if (code === 'Enter' || code === 'NumpadEnter') return 'activation';
  if (held.includes('Meta') || code.startsWith('Meta') || code.startsWith('OS')) return 'system';
  if (systemKeys.has(code) || (code === 'F4' && held.includes('Alt'))) return 'system';
  return held.includes('Control') && controlReserved.has(code) ? 'system' : undefined;
}

/** Also rejects typing keys: a global one would open the microphone while the user types in other programs. */
export function globalKeyFault(stroke: KeyStroke): KeyFault | undefined {
  const held = pressedModifiers(stroke);
  const isUnmodified = held.every((modifier) => modifier === 'Shift');
  return keyFault(stroke) ?? (isUnmodified && typingKeys.test(stroke.code) ? 'typing' : undefined);
}

const typingKeys =
  /^(Key.|Digit.|Numpad.+|Space|Backspace|Delete|Home|End|PageUp|PageDown|Insert|Minus|Equal|Bracket.+|Backslash|Semicolon|Quote|Backquote|Comma|Period|Slash|Intl.+|Shift.+|CapsLock|Escape)$/;
