/** The `code` of a keyboard event for each key code of libuiohook. */
const codes: ReadonlyMap<number, string> = new Map([
  ...numberKeys(0x02, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'], 'Digit'),
  ...numberKeys(0x10, 'QWERTYUIOP'.split(''), 'Key'),
  ...numberKeys(0x1e, 'ASDFGHJKL'.split(''), 'Key'),
  ...numberKeys(0x2c, 'ZXCVBNM'.split(''), 'Key'),
  ...numberKeys(0x3b, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'], 'F'),
  ...numberKeys(0x57, ['11', '12'], 'F'),
  ...numberKeys(0x5b, ['13', '14', '15'], 'F'),
  ...numberKeys(0x63, ['16', '17', '18', '19', '20', '21', '22', '23', '24'], 'F'),
  ...numberKeys(0x0c, ['Minus', 'Equal', 'Backspace', 'Tab']),
  ...numberKeys(0x1a, ['BracketLeft', 'BracketRight', 'Enter', 'ControlLeft']),
  ...numberKeys(0x27, ['Semicolon', 'Quote', 'Backquote', 'ShiftLeft', 'Backslash']),
  ...numberKeys(0x33, ['Comma', 'Period', 'Slash', 'ShiftRight']),
  ...numberKeys(0x37, ['NumpadMultiply', 'AltLeft', 'Space', 'CapsLock']),
  ...numberKeys(0x45, ['NumLock', 'ScrollLock']),
  ...numberKeys(0x47, ['7', '8', '9', 'Subtract', '4', '5', '6', 'Add'], 'Numpad'),
  ...numberKeys(0x4f, ['1', '2', '3', '0', 'Decimal'], 'Numpad'),
  [0x01, 'Escape'],
  [0x70, 'KanaMode'],
  [0x73, 'IntlRo'],
  [0x79, 'Convert'],
  [0x7b, 'NonConvert'],
  [0x7d, 'IntlYen'],
  [0x7e, 'NumpadComma'],
  [0x0e0d, 'NumpadEqual'],
  [0x0e1c, 'NumpadEnter'],
  [0x0e1d, 'ControlRight'],
  [0x0e35, 'NumpadDivide'],
  [0x0e37, 'PrintScreen'],
  [0x0e38, 'AltRight'],
  [0x0e45, 'Pause'],
  [0x0e46, 'IntlBackslash'],
  [0x0e47, 'Home'],
  [0x0e49, 'PageUp'],
  [0x0e4f, 'End'],
  [0x0e51, 'PageDown'],
  [0x0e52, 'Insert'],
  [0x0e53, 'Delete'],
  [0x0e5b, 'MetaLeft'],
  [0x0e5c, 'MetaRight'],
  [0x0e5d, 'ContextMenu'],
  [0xe048, 'ArrowUp'],
  [0xe04b, 'ArrowLeft'],
  [0xe04d, 'ArrowRight'],
  [0xe050, 'ArrowDown'],
  // The keys of the number pad while NumLock is off.
  ...numberKeys(0xee47, ['7', '8', '9'], 'Numpad'),
  ...numberKeys(0xee4b, ['4', '5', '6'], 'Numpad'),
  ...numberKeys(0xee4f, ['1', '2', '3', '0', 'Decimal'], 'Numpad'),
  [0xe010, 'MediaTrackPrevious'],
  [0xe019, 'MediaTrackNext'],
  [0xe020, 'AudioVolumeMute'],
  [0xe022, 'MediaPlayPause'],
  [0xe024, 'MediaStop'],
  [0xe02e, 'AudioVolumeDown'],
  [0xe030, 'AudioVolumeUp'],
]);

/** The scan code of F12, the last key of the main block. */
const lastMainKey = 0x58;

const knownCodes: ReadonlySet<string> = new Set(codes.values());

export function uiohookKeyToCode(key: number): string | undefined {
  return codes.get(key);
}

/** The X11 keycode of a key in the main block, which is its scan code plus 8. */
export function xKeycode(code: string): number | undefined {
  const [scanCode] = [...codes].find(([key, name]) => key <= lastMainKey && name === code) ?? [];
  return scanCode === undefined ? undefined : scanCode + 8;
}

export function hasUiohookKey(code: string): boolean {
  return knownCodes.has(code);
}

function numberKeys(
  from: number,
  names: readonly string[],
  prefix = '',
): readonly [number, string][] {
  return names.map((name, index) => [from + index, prefix + name]);
}
