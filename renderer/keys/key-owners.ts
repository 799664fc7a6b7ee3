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
import { isWindowKey, type SignedStroke } from './window-keys.ts';

/** What a key of Parley's is for. */
export type KeyOwner = 'talk' | 'global' | WindowKeyName;

interface KeysSet {
  readonly talking: Pick<TalkingSettings, 'key' | 'globalKey'>;
  readonly keys: KeySettings;
}

const owners: readonly KeyOwner[] = ['talk', 'global', ...windowKeyNames];

/** Who would act on this key besides. The talk key may be the same in the window and in every program. */
export function otherOwners(
  set: KeysSet,
  owner: KeyOwner,
  stroke: SignedStroke,
): readonly KeyOwner[] {
  return owners.filter((other) => {
    if (other === owner || (isTalkKey(other) && isTalkKey(owner))) return false;
    const chord = chordOf(set, other);
    if (chord === 'default' && !isTalkKey(other)) return isWindowKey(set.keys, other, stroke);
    // Shift alone makes no other key: either may be the one that has it.
    return isSame(chord, stroke);
  });
}

/** The key for one owner, and none for those it is taken from. */
export function keyPatch(
  owner: KeyOwner,
  key: string,
  losers: readonly KeyOwner[] = [],
): PageSettingsPatch {
  const set = [...losers.map((each) => [each, 'none'] as const), [owner, key] as const];
  const talking = set.filter(([each]) => isTalkKey(each));
  const keys = set.filter(([each]) => !isTalkKey(each));
  return {
    ...(talking.length > 0 && {
      talking: Object.fromEntries(
        talking.map(([each, value]) => [each === 'talk' ? 'key' : 'globalKey', value]),
      ),
    }),
    ...(keys.length > 0 && { keys: Object.fromEntries(keys) }),
  };
}

function chordOf({ talking, keys }: KeysSet, owner: KeyOwner): string {
  if (owner === 'talk') return talking.key;
  return owner === 'global' ? talking.globalKey : keys[owner];
}

function isTalkKey(owner: KeyOwner): owner is 'talk' | 'global' {
  return owner === 'talk' || owner === 'global';
}

function isSame(text: string, stroke: KeyStroke): boolean {
  const chord = parseChord(text);
  const withShift = chord.modifiers.has('Shift') ? { ...stroke, shiftKey: true } : stroke;
  return isChordPressed(chord, withShift);
}

/** Why a key cannot be one of Parley's. */
export type KeyFault = 'empty' | 'moves' | 'presses' | 'system' | 'typing';

const moving = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);
/** With Control, browsers and windows keep these for themselves. */
const closing = new Set(['KeyW', 'KeyT', 'KeyN', 'KeyQ', 'KeyR', 'KeyL']);
const ofTheSystem = new Set(['F5', 'F11', 'F12', 'PrintScreen', 'Power', 'Sleep', 'ContextMenu']);

/** Keys that mean something else everywhere, or that never arrive while the window is not alone. */
export function keyFault(stroke: KeyStroke): KeyFault | undefined {
  const { code } = stroke;
  const held = pressedModifiers(stroke);
  if (code === '' || code === 'Unidentified') return 'empty';
  if (moving.has(code)) return 'moves';
  if (code === 'Enter' || code === 'NumpadEnter') return 'presses';
  if (held.includes('Meta') || code.startsWith('Meta') || code.startsWith('OS')) return 'system';
  if (ofTheSystem.has(code) || (code === 'F4' && held.includes('Alt'))) return 'system';
  return held.includes('Control') && closing.has(code) ? 'system' : undefined;
}

/** A key that is pressed while something is written elsewhere would open the microphone all the time. */
export function globalKeyFault(stroke: KeyStroke): KeyFault | undefined {
  const held = pressedModifiers(stroke);
  const alone = held.every((modifier) => modifier === 'Shift');
  return keyFault(stroke) ?? (alone && writing.test(stroke.code) ? 'typing' : undefined);
}

const writing =
  /^(Key.|Digit.|Numpad.+|Space|Backspace|Delete|Home|End|PageUp|PageDown|Insert|Minus|Equal|Bracket.+|Backslash|Semicolon|Quote|Backquote|Comma|Period|Slash|Intl.+|Shift.+|CapsLock|Escape)$/;
