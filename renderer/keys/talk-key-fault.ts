import { heldModifiers } from '../../shared/keys/key-chord.ts';
import type { KeyStroke } from '../../shared/keys/key-chord.ts';

/** Why a key cannot be the talk key. */
export type TalkKeyFault =
  'empty' | 'interrupts' | 'moves' | 'presses' | 'palette' | 'inspector' | 'system';

const moving = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);
/** With Control, browsers and windows keep these for themselves. */
const closing = new Set(['KeyW', 'KeyT', 'KeyN', 'KeyQ', 'KeyR', 'KeyL']);
const ofTheSystem = new Set([
  'F1',
  'F5',
  'F11',
  'F12',
  'PrintScreen',
  'Power',
  'Sleep',
  'ContextMenu',
]);

/** Keys that mean something else already, or that never arrive while the window is not alone. */
export function talkKeyFault(stroke: KeyStroke): TalkKeyFault | undefined {
  const { code } = stroke;
  const held = heldModifiers(stroke);
  if (code === '' || code === 'Unidentified') return 'empty';
  if (code === 'Escape') return 'interrupts';
  if (moving.has(code)) return 'moves';
  if (code === 'Enter' || code === 'NumpadEnter') return 'presses';
  const commanded = held.includes('Control') || held.includes('Meta');
  if (code === 'KeyK' && commanded) return 'palette';
  if (code === 'KeyI' && commanded) return 'inspector';
  if (held.includes('Meta') || code.startsWith('Meta') || code.startsWith('OS')) return 'system';
  if (ofTheSystem.has(code) || (code === 'F4' && held.includes('Alt'))) return 'system';
  return commanded && closing.has(code) ? 'system' : undefined;
}
