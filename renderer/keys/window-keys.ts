import type { KeySettings, WindowKeyName } from '../../shared/settings/key-settings.ts';
import { isChordPressed, parseChord } from '../../shared/keys/key-chord.ts';
import type { KeyStroke } from '../../shared/keys/key-chord.ts';
import { keyName } from './key-name.ts';
import type { KeyNames } from './key-name.ts';

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
