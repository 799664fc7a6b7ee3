import { parseChord } from '../../../shared/keys/key-chord.ts';
import type { Modifier } from '../../../shared/keys/key-chord.ts';

const modifiers: Readonly<Record<Modifier, string>> = {
  Control: 'CTRL',
  Alt: 'ALT',
  Shift: 'SHIFT',
  Meta: 'LOGO',
};

/** Keys by their names in xkbcommon, as they are called on a keyboard of the United States. */
const keysyms: Readonly<Record<string, string>> = {
  Space: 'space',
  Enter: 'Return',
  Backspace: 'BackSpace',
  Tab: 'Tab',
  Escape: 'Escape',
  CapsLock: 'Caps_Lock',
  ScrollLock: 'Scroll_Lock',
  NumLock: 'Num_Lock',
  Pause: 'Pause',
  PrintScreen: 'Print',
  ContextMenu: 'Menu',
  Insert: 'Insert',
  Delete: 'Delete',
  Home: 'Home',
  End: 'End',
  PageUp: 'Page_Up',
  PageDown: 'Page_Down',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Minus: 'minus',
  Equal: 'equal',
  BracketLeft: 'bracketleft',
  BracketRight: 'bracketright',
  Backslash: 'backslash',
  IntlBackslash: 'less',
  Semicolon: 'semicolon',
  Quote: 'apostrophe',
  Backquote: 'grave',
  Comma: 'comma',
  Period: 'period',
  Slash: 'slash',
  NumpadAdd: 'KP_Add',
  NumpadSubtract: 'KP_Subtract',
  NumpadMultiply: 'KP_Multiply',
  NumpadDivide: 'KP_Divide',
  NumpadDecimal: 'KP_Decimal',
  NumpadEnter: 'KP_Enter',
  NumpadEqual: 'KP_Equal',
  ControlLeft: 'Control_L',
  ControlRight: 'Control_R',
  AltLeft: 'Alt_L',
  AltRight: 'Alt_R',
  ShiftLeft: 'Shift_L',
  ShiftRight: 'Shift_R',
  MetaLeft: 'Super_L',
  MetaRight: 'Super_R',
  MediaPlayPause: 'XF86AudioPlay',
  MediaStop: 'XF86AudioStop',
  MediaTrackNext: 'XF86AudioNext',
  MediaTrackPrevious: 'XF86AudioPrev',
};

/**
 * A chord as the specification of shortcuts writes it (`CTRL+ALT+t`); undefined for a key that it has no
 * name for. It is only a wish: what the key is in the end, the desktop lets the person choose.
 */
export function portalTrigger(chord: string): string | undefined {
  const { code, modifiers: held } = parseChord(chord);
  const key = keysyms[code] ?? keysymIn(code);
  if (key === undefined) return undefined;
  return [...[...held].map((modifier) => modifiers[modifier]), key].join('+');
}

function keysymIn(code: string): string | undefined {
  if (/^F\d{1,2}$/.test(code)) return code;
  const [, kind, name = ''] = /^(Key|Digit|Numpad)([A-Z]|\d)$/.exec(code) ?? [];
  if (kind === 'Numpad') return `KP_${name}`;
  return kind === undefined ? undefined : name.toLowerCase();
}
