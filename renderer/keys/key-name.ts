import { parseChord } from '../../shared/keys/key-chord.ts';

/** Names for keys that have no sign on them. */
export type KeyNames = Readonly<Record<'Space' | 'Control' | 'Alt' | 'Shift' | 'Meta', string>> & {
  /** With a place for the key: on which side it is, or on the block of digits. */
  readonly left: string;
  readonly right: string;
  readonly numpad: string;
  /** Where none is set. */
  readonly none: string;
};

/** A key as people call it. */
export function keyName(text: string, names: KeyNames): string {
  if (text === 'none') return names.none;
  const { code, modifiers } = parseChord(text);
  return [...[...modifiers].map((modifier) => names[modifier]), nameOf(code, names)].join(' + ');
}

function nameOf(code: string, names: KeyNames): string {
  if (code === 'Space') return names.Space;
  const [, sign] = /^(?:Key|Digit)(.)$/.exec(code) ?? [];
  if (sign !== undefined) return sign;
  const [, modifier, side] = /^(Control|Alt|Shift|Meta)(Left|Right)$/.exec(code) ?? [];
  if (modifier !== undefined) {
    const name = names[modifier as 'Control'];
    return (side === 'Left' ? names.left : names.right).replace('%', name);
  }
  const [, onPad] = /^Numpad(.+)$/.exec(code) ?? [];
  return onPad === undefined ? code : names.numpad.replace('%', onPad);
}
