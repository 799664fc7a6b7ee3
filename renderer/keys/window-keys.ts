import type { KeySettings, WindowKeyName } from '../../shared/settings/key-settings.ts';
import { isChordPressed, type KeyStroke, parseChord } from '../../shared/talk/global-key.ts';

/** A key as it is pressed, with the sign that it makes. */
export interface SignedStroke extends KeyStroke {
  readonly key: string;
}

interface DefaultKey {
  readonly is: (stroke: SignedStroke) => boolean;
  /** As this system writes them; any of them does it. */
  readonly names: (platform: string) => readonly string[];
}

/** With Control or Command, by the sign on the key, wherever a keyboard has it. */
function commanded(letter: string, shift = false): DefaultKey {
  return {
    is: ({ key, ctrlKey, metaKey, altKey, shiftKey }) =>
      (ctrlKey || metaKey) && !altKey && shiftKey === shift && key.toLowerCase() === letter,
    names: (platform) => [
      withCommandKey(platform, `${shift ? 'Shift ' : ''}${letter.toUpperCase()}`),
    ],
  };
}

function isBare({ ctrlKey, metaKey, altKey }: KeyStroke): boolean {
  return !ctrlKey && !metaKey && !altKey;
}

const noKey: DefaultKey = { is: () => false, names: () => [] };

const defaults: Readonly<Record<WindowKeyName, DefaultKey>> = {
  interrupt: {
    is: (stroke) => stroke.key === 'Escape' && isBare(stroke),
    names: () => ['Esc'],
  },
  mute: commanded('m', true),
  cough: noKey,
  pause: noKey,
  end: noKey,
  keepRecent: noKey,
  palette: commanded('k'),
  inspector: commanded('i'),
  // F1 also while a text is being written.
  shortcuts: {
    is: (stroke) => (stroke.key === '?' || stroke.key === 'F1') && isBare(stroke),
    names: () => ['?', 'F1'],
  },
};

export function isWindowKey(keys: KeySettings, name: WindowKeyName, stroke: SignedStroke): boolean {
  const set = keys[name];
  return set === 'default' ? defaults[name].is(stroke) : isChordPressed(parseChord(set), stroke);
}

export function withCommandKey(platform: string, key: string): string {
  return /mac/i.test(platform) ? `⌘${key}` : `Ctrl ${key}`;
}

/** What does it, as people call it; empty where nothing does. */
export function windowKeySigns(
  keys: KeySettings,
  name: WindowKeyName,
  names: KeyNames,
  platform: string,
): readonly string[] {
  const set = keys[name];
  if (set === 'default') return defaults[name].names(platform);
  return set === 'none' ? [] : [keyName(set, names)];
}

/** Names for keys that have no sign on them. */
type KeyNames = Readonly<Record<'Space' | 'Control' | 'Alt' | 'Shift' | 'Meta', string>> & {
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

/** Where keys go by themselves: into a text that is being written. */
export const textInputSelector = 'input, textarea, select, [contenteditable="true"]';

/** What Space and Enter work by themselves. */
export const pressableSelector = 'button, a, summary, [role="button"]';

/** The key puts a sign into a text. */
export function isWriting({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const signs = key.length === 1 && !ctrlKey && !metaKey && !altKey;
  return signs && target instanceof Element && target.closest(textInputSelector) !== null;
}

/** What lies over the page, and has the keys while it does. */
export const overlaySelector = '[role="menu"], [role="dialog"]';

/** Where one looks for something on a screen that has such a field. */
export const searchSelector = '.search-field input';
