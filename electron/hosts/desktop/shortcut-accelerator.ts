import { parseChord } from '../../../shared/keys/key-chord.ts';
import type { Modifier } from '../../../shared/keys/key-chord.ts';

const modifierNames: Readonly<Record<Modifier, string>> = {
  Control: 'Control',
  Alt: 'Alt',
  Shift: 'Shift',
  Meta: 'Super',
};

/** Keys as Electron calls them, where that is not how a keyboard event does. */
const keyNames: Readonly<Record<string, string>> = {
  Enter: 'Return',
  CapsLock: 'Capslock',
  NumLock: 'Numlock',
  ScrollLock: 'Scrolllock',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Minus: '-',
  Equal: '=',
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
  Semicolon: ';',
  Quote: "'",
  Backquote: '`',
  Comma: ',',
  Period: '.',
  Slash: '/',
  NumpadAdd: 'numadd',
  NumpadSubtract: 'numsub',
  NumpadMultiply: 'nummult',
  NumpadDivide: 'numdiv',
  NumpadDecimal: 'numdec',
  MediaTrackNext: 'MediaNextTrack',
  MediaTrackPrevious: 'MediaPreviousTrack',
};

const sameName = new Set(
  (
    'Space Tab Backspace Delete Insert Home End PageUp PageDown ' +
    'Escape PrintScreen MediaStop MediaPlayPause'
  ).split(' '),
);

/**
 * A chord as Electron writes it (`Control+T`). A modifier alone, and a key that Electron has no name for,
 * it cannot hear.
 */
export function shortcutAccelerator(chord: string): string | undefined {
  const { code, modifiers } = parseChord(chord);
  const key = keyNames[code] ?? (sameName.has(code) ? code : numberedKey(code));
  if (key === undefined) return undefined;
  return [...[...modifiers].map((modifier) => modifierNames[modifier]), key].join('+');
}

/** Whether nobody types with it, so that it is missed nowhere when no other program gets it any more. */
export function canBeTaken(chord: string): boolean {
  const { code, modifiers } = parseChord(chord);
  const isCommand = modifiers.has('Control') || modifiers.has('Alt') || modifiers.has('Meta');
  return isCommand || /^(F\d+|Media\w+|ScrollLock|PrintScreen|Insert)$/.test(code);
}

function numberedKey(code: string): string | undefined {
  if (/^F([1-9]|1\d|2[0-4])$/.test(code)) return code;
  const [, kind, name = ''] = /^(Key|Digit|Numpad)([A-Z]|\d)$/.exec(code) ?? [];
  if (kind === 'Numpad') return `num${name}`;
  return kind === undefined ? undefined : name;
}
