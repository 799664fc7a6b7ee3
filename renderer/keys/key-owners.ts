import type { CursorSettings } from '../../shared/settings/cursor-settings.ts';
import {
  type KeySettings,
  type WindowKeyName,
  windowKeyNames,
} from '../../shared/settings/key-settings.ts';
import type { PageSettingsPatch } from '../../shared/settings/redacted-settings.ts';
import type { TalkingSettings } from '../../shared/settings/talking-settings.ts';
import {
  pressedModifiers,
  isChordPressed,
  type KeyStroke,
  parseChord,
} from '../../shared/talk/global-key.ts';
import { isWindowKey, type PrintedStroke } from './window-keys.ts';

/** The function that a key is assigned to. */
export type KeyOwner = 'talk' | 'global' | CursorKeyOwner | WindowKeyName;

const cursorKeys = ['askKey', 'dictateKey', 'lookKey'] as const;

export type CursorKeyOwner = (typeof cursorKeys)[number];

interface ConfiguredKeys {
  readonly talking: Pick<TalkingSettings, 'key' | 'globalKey'>;
  readonly keys: KeySettings;
  readonly cursor: Pick<CursorSettings, CursorKeyOwner>;
}

const owners: readonly KeyOwner[] = ['talk', 'global', ...cursorKeys, ...windowKeyNames];

/** Functions that already use this key. The talk key and the global key may be equal. */
export function conflictingOwners(
  set: ConfiguredKeys,
  owner: KeyOwner,
  stroke: PrintedStroke,
): readonly KeyOwner[] {
  return owners.filter((other) => {
    if (other === owner || (isTalkKey(other) && isTalkKey(owner))) return false;
    const chord = chordFor(set, other);
    if (chord === 'default' && isWindowOwner(other)) return isWindowKey(set.keys, other, stroke);
    // The chord also matches with Shift held, so that counts as the same key.
    return isSame(chord, stroke);
  });
}

/** Assigns a key and removes it from the displaced functions. */
export function keyPatch(
  owner: KeyOwner,
  key: string,
  displaced: readonly KeyOwner[] = [],
): PageSettingsPatch {
  const set = [...displaced.map((each) => [each, 'none'] as const), [owner, key] as const];
  const talking = set.filter(([each]) => isTalkKey(each));
  const cursor = set.filter(([each]) => isCursorKey(each));
  const keys = set.filter(([each]) => isWindowOwner(each));
  return {
    ...(talking.length > 0 && {
      talking: Object.fromEntries(
        talking.map(([each, value]) => [each === 'talk' ? 'key' : 'globalKey', value]),
      ),
    }),
    ...(cursor.length > 0 && { cursor: Object.fromEntries(cursor) }),
    ...(keys.length > 0 && { keys: Object.fromEntries(keys) }),
  };
}

function chordFor({ talking, keys, cursor }: ConfiguredKeys, owner: KeyOwner): string {
  if (owner === 'talk') return talking.key;
  if (isCursorKey(owner)) return cursor[owner];
  return owner === 'global' ? talking.globalKey : keys[owner];
}

function isTalkKey(owner: KeyOwner): owner is 'talk' | 'global' {
  return owner === 'talk' || owner === 'global';
}

export function isCursorKey(owner: KeyOwner): owner is CursorKeyOwner {
  return cursorKeys.some((key) => key === owner);
}

/** Works in other programs. */
export function isGlobalKey(owner: KeyOwner): boolean {
  return owner === 'global' || isCursorKey(owner);
}

function isWindowOwner(owner: KeyOwner): owner is WindowKeyName {
  return !isTalkKey(owner) && !isCursorKey(owner);
}

function isSame(text: string, stroke: KeyStroke): boolean {
  const chord = parseChord(text);
  const withShift = chord.modifiers.has('Shift') ? { ...stroke, shiftKey: true } : stroke;
  return isChordPressed(chord, withShift);
}

/** Why a key cannot be assigned. */
export type KeyFault = 'empty' | 'moves' | 'presses' | 'system' | 'typing';

const navigationKeys = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);
/** Browsers and windows reserve these with Control. */
const controlReserved = new Set(['KeyW', 'KeyT', 'KeyN', 'KeyQ', 'KeyR', 'KeyL']);
const systemKeys = new Set(['F5', 'F11', 'F12', 'PrintScreen', 'Power', 'Sleep', 'ContextMenu']);

/** Rejects keys with a standard meaning, and keys that the system intercepts. */
export function keyFault(stroke: KeyStroke): KeyFault | undefined {
  const { code } = stroke;
  const held = pressedModifiers(stroke);
  if (code === '' || code === 'Unidentified') return 'empty';
  if (navigationKeys.has(code)) return 'moves';
  if (code === 'Enter' || code === 'NumpadEnter') return 'presses';
  if (held.includes('Meta') || code.startsWith('Meta') || code.startsWith('OS')) return 'system';
  if (systemKeys.has(code) || (code === 'F4' && held.includes('Alt'))) return 'system';
  return held.includes('Control') && controlReserved.has(code) ? 'system' : undefined;
}

/** Also rejects typing keys: a global one would open the microphone while the user types in other programs. */
export function globalKeyFault(stroke: KeyStroke): KeyFault | undefined {
  const held = pressedModifiers(stroke);
  const alone = held.every((modifier) => modifier === 'Shift');
  return keyFault(stroke) ?? (alone && typingKeys.test(stroke.code) ? 'typing' : undefined);
}

const typingKeys =
  /^(Key.|Digit.|Numpad.+|Space|Backspace|Delete|Home|End|PageUp|PageDown|Insert|Minus|Equal|Bracket.+|Backslash|Semicolon|Quote|Backquote|Comma|Period|Slash|Intl.+|Shift.+|CapsLock|Escape)$/;
