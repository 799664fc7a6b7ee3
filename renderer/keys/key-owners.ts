import { windowKeyNames } from '../../shared/settings/key-settings.ts';
import type { KeySettings, WindowKeyName } from '../../shared/settings/key-settings.ts';
import type { TalkingSettings } from '../../shared/settings/settings-groups.ts';
import type { PageSettingsPatch } from '../../shared/settings/redacted-settings.ts';
import { isChordPressed, parseChord } from '../../shared/keys/key-chord.ts';
import type { KeyStroke } from '../../shared/keys/key-chord.ts';
import { isWindowKey } from './window-keys.ts';
import type { SignedStroke } from './window-keys.ts';

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
