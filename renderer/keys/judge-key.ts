import { heldWith } from './key-chord.ts';
import type { KeyStroke } from './key-chord.ts';

/** Why a key cannot be the talk key. */
export type KeyFault = 'empty' | 'interrupts' | 'moves' | 'presses' | 'palette' | 'system';

const moving = ['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
/** With Control, browsers and windows keep these for themselves. */
const closing = ['KeyW', 'KeyT', 'KeyN', 'KeyQ', 'KeyR', 'KeyL'];
const ofTheSystem = ['F1', 'F5', 'F11', 'F12', 'PrintScreen', 'Power', 'Sleep', 'ContextMenu'];

/** Keys that mean something else already, or that never arrive while the window is not alone. */
export function judgeKey(stroke: KeyStroke): KeyFault | undefined {
  const { code } = stroke;
  const held = heldWith(stroke);
  if (code === '' || code === 'Unidentified') return 'empty';
  if (code === 'Escape') return 'interrupts';
  if (moving.includes(code)) return 'moves';
  if (code === 'Enter' || code === 'NumpadEnter') return 'presses';
  const commanded = held.includes('Control') || held.includes('Meta');
  if (code === 'KeyK' && commanded) return 'palette';
  if (held.includes('Meta') || code.startsWith('Meta') || code.startsWith('OS')) return 'system';
  if (ofTheSystem.includes(code) || (code === 'F4' && held.includes('Alt'))) return 'system';
  return commanded && closing.includes(code) ? 'system' : undefined;
}
