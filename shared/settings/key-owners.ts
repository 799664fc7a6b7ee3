import type { CursorAction } from '../cursor/cursor-action.ts';
import { isSameChord } from '../talk/global-key.ts';
import type { CursorSettings } from './cursor-settings.ts';
import {
  type KeySettings,
  type WindowKeyName,
  windowKeyNames,
  type TalkingSettings,
} from './app-settings.ts';
import type { PageSettingsPatch } from './settings.ts';

/** The function that a key is assigned to. */
export type KeyOwner = SettingKeyOwner | ActionKeyOwner;

/** A function whose key has a row in the settings. */
export type SettingKeyOwner = 'talk' | 'global' | CursorKeyOwner | WindowKeyName;

/** Keys of the small window, in the order of the settings. */
export const cursorKeys = ['askKey', 'dictateKey', 'lookKey', 'regionKey'] as const;

export type CursorKeyOwner = (typeof cursorKeys)[number];

/** An action of the small window, by its id. */
export type ActionKeyOwner = `action-${string}`;

interface ConfiguredKeys {
  readonly talking: Pick<TalkingSettings, 'key' | 'globalKey'>;
  readonly keys: KeySettings;
  readonly cursor: Pick<CursorSettings, CursorKeyOwner | 'actions'>;
}

export function actionKeyOwner({ id }: Pick<CursorAction, 'id'>): ActionKeyOwner {
  return `action-${id}`;
}

const withCommand = (key: string): readonly string[] => [`Control+${key}`, `Meta+${key}`];

/** Where the default keys of the window are on an English keyboard. They are matched by the printed character. */
const defaultChords: Readonly<Partial<Record<WindowKeyName, readonly string[]>>> = {
  interrupt: ['Escape'],
  mute: withCommand('Shift+KeyM'),
  palette: withCommand('KeyK'),
  inspector: withCommand('KeyI'),
  shortcuts: ['Shift+Slash', 'F1'],
};

/**
 * Functions that already use this chord, or, for the chord `default`, the default key of the owner. The talk key and the
 * global key may be equal. `isDefault` tells whether this chord is the default key of a window function. Default keys are
 * matched by the printed character, so their chords cannot be compared.
 */
export function conflictingOwners(
  configured: ConfiguredKeys,
  owner: KeyOwner,
  chord: string,
  isDefault: (name: WindowKeyName) => boolean = () => false,
): readonly KeyOwner[] {
  const isDefaultKey = chord === 'default' && isWindowOwner(owner);
  const chords = isDefaultKey ? (defaultChords[owner] ?? []) : [chord];
  return allOwners(configured).filter((other) => {
    if (other === owner || (isTalkKey(other) && isTalkKey(owner))) return false;
    const current = chordFor(configured, other);
    if (current === 'default' && isWindowOwner(other)) return isDefault(other);
    const areGlobal = isGlobalKey(owner) && isGlobalKey(other);
    return chords.some((each) => isSameChord(current, each, areGlobal));
  });
}

/** Assigns a key and removes it from the displaced functions. */
export function keyPatch(
  owner: SettingKeyOwner,
  key: string,
  displaced: readonly KeyOwner[] = [],
  actions: readonly CursorAction[] = [],
): PageSettingsPatch {
  const configured = [...displaced.map((each) => [each, 'none'] as const), [owner, key] as const];
  const talking = configured.filter(([each]) => isTalkKey(each));
  const cursor = configured.filter(([each]) => isCursorKey(each));
  const keys = configured.filter(([each]) => isWindowOwner(each));
  const remainingActions = actions.map((action) =>
    displaced.includes(actionKeyOwner(action)) ? { ...action, key: 'none' } : action,
  );
  const changesActions = displaced.some(isActionKey);
  return {
    ...(talking.length > 0 && {
      talking: Object.fromEntries(
        talking.map(([each, value]) => [each === 'talk' ? 'key' : 'globalKey', value]),
      ),
    }),
    ...((cursor.length > 0 || changesActions) && {
      cursor: {
        ...Object.fromEntries(cursor),
        ...(changesActions && { actions: remainingActions }),
      },
    }),
    ...(keys.length > 0 && { keys: Object.fromEntries(keys) }),
  };
}

function allOwners({ cursor }: ConfiguredKeys): readonly KeyOwner[] {
  return [
    'talk',
    'global',
    ...cursorKeys,
    ...cursor.actions.map(actionKeyOwner),
    ...windowKeyNames,
  ];
}

function chordFor({ talking, keys, cursor }: ConfiguredKeys, owner: KeyOwner): string {
  if (owner === 'talk') return talking.key;
  if (owner === 'global') return talking.globalKey;
  if (isCursorKey(owner)) return cursor[owner];
  if (isWindowOwner(owner)) return keys[owner];
  return cursor.actions.find((action) => actionKeyOwner(action) === owner)?.key ?? 'none';
}

function isTalkKey(owner: KeyOwner): owner is 'talk' | 'global' {
  return owner === 'talk' || owner === 'global';
}

export function isCursorKey(owner: KeyOwner): owner is CursorKeyOwner {
  return cursorKeys.some((key) => key === owner);
}

function isActionKey(owner: KeyOwner): owner is ActionKeyOwner {
  return owner.startsWith('action-');
}

/** Whether the key works in other programs. */
export function isGlobalKey(owner: KeyOwner): boolean {
  return owner === 'global' || isCursorKey(owner) || isActionKey(owner);
}

export function isWindowOwner(owner: KeyOwner): owner is WindowKeyName {
  return windowKeyNames.some((name) => name === owner);
}
